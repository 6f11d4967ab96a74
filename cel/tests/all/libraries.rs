//! Libraries by example. The expected values are those of Kubernetes' documentation and of Go's; the recorded answers of
//! upstream (`upstream`) have many more, and costs.

use crdible_cel::{Environment, Release, Value, check, plan, syntax};
use rstest::rstest;

/// Whether an expression without variables is true; `None` if its evaluation fails.
fn holds(text: &str) -> Option<bool> {
    let release = Release::stored_rules(37);
    let environment = Environment::new(release);
    let ast = syntax::parse(text, &release.syntax()).unwrap_or_else(|issues| panic!("{text}: {issues:?}"));
    let checked = check(ast, &environment).unwrap_or_else(|issues| panic!("{text}: {issues:?}"));
    let program = plan(&checked, &environment).unwrap_or_else(|error| panic!("{text}: {error}"));
    match program.evaluate(&|_| None, 1_000_000) {
        (Ok(Value::Bool(value)), _) => Some(value),
        (Ok(other), _) => panic!("{text}: {other:?}"),
        (Err(_), _) => None,
    }
}

#[rstest]
#[case("quantity('1.5k').asInteger() == 1500 && !quantity('1.5Gi').isInteger()")]
#[case("quantity('100m').asApproximateFloat() == 0.1")]
#[case("quantity('50k').add(20) == quantity('50020')")]
#[case("sign(quantity('50k').sub(quantity('50M'))) == -1")]
#[case("quantity('200M').compareTo(quantity('0.2G')) == 0")]
#[case("!quantity('0.5').isInteger() && quantity('12e6').isInteger()")]
#[case("quantity('9999999999999999999999M').isGreaterThan(quantity('1Ei'))")]
#[case("!isQuantity('10 Mi') && !isQuantity('1.5ki') && isQuantity('-1') && isQuantity('.5')")]
fn quantities(#[case] text: &str) {
    assert_eq!(holds(text), Some(true));
}

#[rstest]
#[case("url('https://a.b:80/c d?x=1&x=2&y#f').getHost() == 'a.b:80'", Some(true))]
#[case("url('h').getHost() == ''", None)]
#[case("url('https://a.b:80/c%20d?x=1').getHost() == 'a.b:80'", Some(true))]
#[case("url('https://a.b:80/').getHostname() == 'a.b' && url('https://a.b:80/').getPort() == '80'", Some(true))]
#[case("url('https://[::1]:80/').getHostname() == '::1'", Some(true))]
#[case("url('/a/../b').getScheme() == '' && url('/a b').getEscapedPath() == '/a%20b'", Some(true))]
#[case("url('https://a/?x=1&x=2&y').getQuery() == {'x': ['1', '2'], 'y': ['']}", Some(true))]
#[case("isURL('fd00::1') && isURL('/p') && !isURL('h') && !isURL('')", Some(true))]
#[case("ip('::ffff:1.2.3.4').family() == 4", None)]
#[case("ip('010.0.0.1').family() == 4", None)]
#[case("ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')", Some(true))]
#[case("ip('127.0.0.1').isLoopback() && ip('169.254.1.1').isLinkLocalUnicast()", Some(true))]
#[case("ip('224.0.0.1').isLinkLocalMulticast() && !ip('255.255.255.255').isGlobalUnicast()", Some(true))]
#[case("cidr('192.168.1.5/24').masked() == cidr('192.168.1.0/24')", Some(true))]
#[case("cidr('0.0.0.0/0').containsIP('1.2.3.4') && !cidr('::/0').containsIP('1.2.3.4')", Some(true))]
#[case("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR('10.0.0.0/8')", Some(true))]
#[case("!isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0/08') && !isCIDR('10.0.0.0')", Some(true))]
fn addresses(#[case] text: &str, #[case] expected: Option<bool>) {
    assert_eq!(holds(text), expected);
}

#[rstest]
#[case("semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))", Some(true))]
#[case("semver('1.0.0+a').compareTo(semver('1.0.0+b')) == 0", Some(true))]
#[case("semver('1.0.0-alpha.9').isLessThan(semver('1.0.0-alpha.10'))", Some(true))]
#[case("semver('v1.02', true) == semver('1.2.0')", Some(true))]
#[case("!isSemver('v1.0.0') && isSemver('v1.0.0', true) && !isSemver('1.0')", Some(true))]
#[case("semver('01.0.0').major() == 1", None)]
#[case("semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3", Some(true))]
fn versions(#[case] text: &str, #[case] expected: Option<bool>) {
    assert_eq!(holds(text), expected);
}

#[rstest]
#[case("'%s and %s'.format([1, 'a'])", "1 and a")]
#[case("'%s'.format([[1.0, 'a', true]])", "[1.000000, \"a\", true]")]
#[case("'%s'.format([{'b': 1, 'a': 2}])", "{\"a\":2, \"b\":1}")]
#[case("'%.3f%%'.format([1234567.891])", "1,234,567.891%")]
#[case("'%e'.format([1500.0])", "1.500000×10⁰³")]
#[case("'%x %X %b %o %d'.format([255, 'a', 5, 8, -3])", "ff 61 101 10 -3")]
#[case("'%s'.format([duration('90m')])", "5400s")]
#[case("'%s %s'.format([b'a', null])", "a null")]
fn formats(#[case] text: &str, #[case] expected: &str) {
    assert_eq!(holds(&format!("{text} == '{expected}'")), Some(true));
}

#[rstest]
#[case("timestamp('2024-02-29T23:30:00Z').getDate() == 29")]
#[case("timestamp('2024-02-29T23:30:00Z').getDate('+01:00') == 1")]
#[case("timestamp('2024-02-29T23:30:00Z').getMonth('+01:00') == 2")]
#[case("timestamp('2024-12-31T00:00:00Z').getDayOfYear() == 365")]
#[case("timestamp('2024-02-29T00:00:00Z').getDayOfWeek() == 4")]
#[case("timestamp('2024-02-29T00:00:00.123Z').getMilliseconds() == 123")]
#[case("duration('1500ms').getMilliseconds() == 1500 && duration('90m').getHours() == 1")]
#[case("timestamp('2024-01-01T00:00:00+01:00') == timestamp('2023-12-31T23:00:00Z')")]
#[case("timestamp('2024-01-01T00:00:00Z') - timestamp('2023-12-31T00:00:00Z') == duration('24h')")]
#[case("string(timestamp('2024-01-01T00:00:00.5Z')) == '2024-01-01T00:00:00.5Z'")]
#[case("string(duration('1h30m')) == '5400s'")]
fn times(#[case] text: &str) {
    assert_eq!(holds(text), Some(true));
}

#[rstest]
#[case("'ta©o©αT'.indexOf('©', 3) == 4 && 'ta©o©αT'.lastIndexOf('©', 3) == 2 && ''.lastIndexOf('a') == -1")]
#[case("'ta©o©αT'.lastIndexOf('©') == 4 && 'ta©o©αT'.lastIndexOf('©α', 4) == 4 && 'aaa'.lastIndexOf('aa') == 1")]
#[case("'abc'.split('') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a'.split(',', 0) == []")]
#[case("'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco' && 'tacocat'.charAt(7) == ''")]
#[case("'hello'.replace('l', 'L', 1) == 'heLlo' && ['x', 'y'].join('-') == 'x-y' && ' a\\n'.trim() == 'a'")]
#[case("strings.quote('a\\n\"') == '\"a\\\\n\\\\\"\"' && 'ÄA'.lowerAscii() == 'Äa'")]
#[case("'abc 123 45'.find('[0-9]+') == '123' && 'abc 123 45'.findAll('[0-9]+', 1) == ['123'] && 'a'.find('b') == ''")]
#[case(
    "[3, 1, 2].sort() == [1, 2, 3] && ['b', 'aa'].sortBy(e, size(e)) == ['b', 'aa'] && [1, 1, 2].distinct() == [1, 2]"
)]
#[case("[1, 2, 3].slice(1, 3) == [2, 3] && lists.range(3) == [0, 1, 2] && [[1], [2]].flatten() == [1, 2]")]
#[case("[1, 2].includes(2) && !dyn('a').includes('b') && [].sum() == 0 && [1, 3].max() == 3")]
#[case("sets.contains([1, 2], [2, 2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])")]
fn texts_and_lists(#[case] text: &str) {
    assert_eq!(holds(text), Some(true));
}

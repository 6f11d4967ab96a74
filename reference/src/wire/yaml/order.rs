//! The order of written keys, which compares numbers in them by value.

/// Sorts keys as upstream does.
///
/// Upstream's comparison is not a consistent order for some keys (`a2`, `a12`, `a1b`), for which the sorts of the
/// standard library may panic; this merge sort does not.
pub(super) fn sort<T>(items: Vec<(&str, T)>) -> Vec<(&str, T)> {
    let mut runs: Vec<Vec<(&str, T)>> = items.into_iter().map(|item| vec![item]).collect();
    while runs.len() > 1 {
        let mut merged = Vec::with_capacity(runs.len().div_ceil(2));
        let mut rest = runs.into_iter();
        while let Some(left) = rest.next() {
            merged.push(match rest.next() {
                Some(right) => merge(left, right),
                None => left,
            });
        }
        runs = merged;
    }
    runs.pop().unwrap_or_default()
}

fn merge<'k, T>(left: Vec<(&'k str, T)>, right: Vec<(&'k str, T)>) -> Vec<(&'k str, T)> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some((one, _)), Some((other, _))) = (left.peek(), right.peek()) {
        let next = if is_less(other, one) { right.next() } else { left.next() };
        merged.extend(next);
    }
    merged.extend(left);
    merged.extend(right);
    merged
}

fn is_less(one: &str, other: &str) -> bool {
    let prefix = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let (common, one, other) = (&one[..prefix], &one[prefix..], &other[prefix..]);
    let (Some(first), Some(second)) = (one.chars().next(), other.chars().next()) else {
        return one.len() < other.len();
    };
    match (first.is_alphabetic(), second.is_alphabetic()) {
        (true, true) => return first < second,
        (true, false) | (false, true) => return second.is_alphabetic(),
        (false, false) => {}
    }
    // A zero is a digit of the number if it is within the number, but not at its start.
    let within_number = (first == '0' || second == '0')
        && common.bytes().rev().take_while(u8::is_ascii_digit).any(|digit| digit != b'0');
    let (one_number, one_digits) = leading_number(one, within_number);
    let (other_number, other_digits) = leading_number(other, within_number);
    (one_number, one_digits, first) < (other_number, other_digits, second)
}

/// The number at the start of a text, and its number of digits.
fn leading_number(text: &str, within_number: bool) -> (i64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold((i64::from(within_number), 0), |(number, count), digit| {
        (number.wrapping_mul(10).wrapping_add(i64::from(digit - b'0')), count + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_011_keys_are_sorted_as_upstream_sorts_them() {
        let keys = ["b", "a10", "a9", "A", "-", "a", "_", "a01", "a1", "1", "02", "10", "é"];
        let sorted: Vec<&str> = sort(keys.map(|key| (key, ())).to_vec()).into_iter().map(|(key, ())| key).collect();
        assert_eq!(sorted, ["-", "_", "1", "02", "10", "A", "a", "a1", "a01", "a9", "a10", "b", "é"]);
    }

    #[test]
    fn inconsistently_ordered_keys_are_all_kept() {
        let keys: Vec<String> =
            (0..200).flat_map(|number| [format!("a{number}"), format!("a{number}b"), format!("a0{number}")]).collect();
        let mut sorted: Vec<&str> =
            sort(keys.iter().map(|key| (key.as_str(), ())).collect()).into_iter().map(|(key, ())| key).collect();
        sorted.sort_unstable();
        let mut all: Vec<&str> = keys.iter().map(String::as_str).collect();
        all.sort_unstable();
        assert_eq!(sorted, all);
    }
}

//! Numbers and nouns in sentences.

/// `1 finding`, `2 findings`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(count)) }
}

/// `12,345`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 property`, `2 properties`.
pub fn properties(count: u64) -> String {
    if count == 1 { "1 property".to_owned() } else { format!("{} properties", grouped(count)) }
}

/// `1 more property`, `2 more properties`.
pub fn more_properties(count: u64) -> String {
    if count == 1 { "1 more property".to_owned() } else { format!("{} more properties", grouped(count)) }
}

/// `was` after one, else `were`.
pub fn were(count: u64) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::{grouped, plural};

    #[rstest]
    #[case(0, "0")]
    #[case(999, "999")]
    #[case(1000, "1,000")]
    #[case(1_234_567, "1,234,567")]
    fn thousands(#[case] count: u64, #[case] expected: &str) {
        assert_eq!(grouped(count), expected);
    }

    #[rstest]
    #[case(0, "0 cases")]
    #[case(1, "1 case")]
    #[case(1200, "1,200 cases")]
    fn nouns(#[case] count: u64, #[case] expected: &str) {
        assert_eq!(plural(count, "case"), expected);
    }
}

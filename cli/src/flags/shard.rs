//! `--shard`: one part of a divided run.

use crdible_reports::journal::Shard;

/// `3/16`: the third of sixteen parts.
pub(crate) fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match numbers {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok(Shard { index: part - 1, count: parts }),
        _ => Err("it must be a part and the number of parts, such as 3/16; the first part is 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use crdible_reports::journal::Shard;
    use rstest::rstest;

    use super::shard;

    #[rstest]
    #[case("1/1", Some((0, 1)))]
    #[case("3/16", Some((2, 16)))]
    #[case("16/16", Some((15, 16)))]
    #[case("0/16", None)]
    #[case("17/16", None)]
    #[case("1/0", None)]
    #[case("0/0", None)]
    #[case("3", None)]
    #[case("3/", None)]
    #[case("-1/2", None)]
    #[case("1/4294967296", None)]
    fn parts(#[case] text: &str, #[case] expected: Option<(u32, u32)>) {
        assert_eq!(shard(text).ok(), expected.map(|(index, count)| Shard { index, count }));
    }
}

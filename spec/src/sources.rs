//! The addresses of sources: what the abbreviations in `Src` lines stand for.

use std::sync::LazyLock;

use crate::Catalogue;

/// The pages of kubernetes.io whose sections sources name.
const PAGES: [&str; 2] = [
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
];

/// The page of the blog that sources name.
const BLOG: &str = "https://kubernetes.io/blog/2019/06/20/crd-structural-schema/";

/// The abbreviations of the table in section 2 of the specification's README, and the file or folder of each.
static ABBREVIATIONS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let readme = Catalogue::embedded_files().find(|(name, _)| *name == "README.md").map_or("", |(_, text)| text);
    let row = |line: &'static str| {
        let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        let (short, file) = (cells.next()?, cells.next()?);
        (short.contains(':') && cells.next().is_none()).then_some((short, file))
    };
    readme.lines().filter_map(row).collect()
});

/// What a source names, each with its address: `A:val` and the file in the repository of Kubernetes. Each is there once.
pub fn addresses(source: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut enter = |name: &str, address: String| {
        if !found.iter().any(|(_, known)| *known == address) {
            found.push((name.to_owned(), address));
        }
    };
    let mut words = source.split([' ', '/', '(']).map(|word| word.trim_end_matches(['.', ',', ';', ')'])).peekable();
    let mut whole = source.split(' ');
    while let Some(word) = words.next() {
        if let Some((short, file)) = ABBREVIATIONS.iter().find(|(short, _)| *short == word) {
            let named = if short.ends_with(':') { path_after(&mut whole, short) } else { Some(*file) };
            if let Some(address) = named.and_then(|path| address(short, path)) {
                enter(short, address);
            }
        }
        if word == "kubernetes.io" {
            let pages: &[&str] = if words.peek() == Some(&"blog") { &[BLOG] } else { &PAGES };
            pages.iter().for_each(|page| enter("kubernetes.io", (*page).to_owned()));
        }
    }
    found
}

/// The path behind an abbreviation of a whole repository: `S: pkg/util/webhook/client.go`.
fn path_after<'s>(words: &mut impl Iterator<Item = &'s str>, short: &str) -> Option<&'s str> {
    words.find(|word| *word == short)?;
    words.next().map(|path| path.trim_end_matches(['.', ',', ';'])).filter(|path| path.contains('/'))
}

/// The address of a path in the repository of an abbreviation. Of several files it is that of their folder.
fn address(short: &str, path: &str) -> Option<String> {
    let (letter, _) = short.split_once(':')?;
    let (_, repository) = ABBREVIATIONS.iter().find(|(known, _)| known.strip_suffix(':') == Some(letter))?;
    let mut parts = repository.split(' ');
    let (name, version) = (parts.next()?, parts.next().filter(|version| version.starts_with('v')));
    let first = path.split(['{', '*', ' ']).next()?;
    let path = if first.len() < path.len() { first.rsplit_once('/')?.0 } else { first };
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    let kind = if is_file { "blob" } else { "tree" };
    Some(format!("https://github.com/kubernetes/{name}/{kind}/{}/{path}", version.unwrap_or("master")))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::addresses;

    const UPSTREAM: &str = "https://github.com/kubernetes/";

    #[rstest]
    #[case::file("A:val validateNames.", &["apiextensions-apiserver/blob/v0.36.3/pkg/apis/apiextensions/validation/validation.go"])]
    #[case::files("A:conv ConvertToVersion; A:conv", &["apiextensions-apiserver/tree/v0.36.3/pkg/apiserver/conversion"])]
    #[case::folder("S:h.", &["apiserver/tree/v0.36.3/pkg/endpoints/handlers"])]
    #[case::path("S: pkg/util/webhook/client.go; kubernetes", &["apiserver/blob/v0.36.3/pkg/util/webhook/client.go"])]
    #[case::other("VER-019; CONV-035.", &[])]
    fn sources_have_addresses(#[case] source: &str, #[case] expected: &[&str]) {
        let found: Vec<String> = addresses(source).into_iter().map(|(_, address)| address).collect();
        assert_eq!(found, expected.iter().map(|path| format!("{UPSTREAM}{path}")).collect::<Vec<_>>());
    }

    #[test]
    fn pages_are_those_of_the_readme() {
        let mut files = crate::Catalogue::embedded_files();
        let readme = files.find(|(name, _)| *name == "README.md").expect("it is there").1;
        let of = |source: &str| addresses(source).into_iter().map(|(_, address)| address).collect::<Vec<_>>();
        for address in of("kubernetes.io §Validation; kubernetes.io blog") {
            assert!(readme.contains(&address), "{address}");
        }
        assert_eq!((of("kubernetes.io §Validation").len(), of("kubernetes.io blog").len()), (2, 1));
    }
}

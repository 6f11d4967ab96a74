//! Names that a definition requests although it has them already. They never conflict (LIFE-006), but kube-apiserver
//! takes them for those of another definition if they come with an update.

use crdible_semantics::definition::Names;

/// Warnings about names of an updated definition that kube-apiserver would not accept, given those that are accepted.
pub(super) fn warnings(requested: &Names, accepted: &Names) -> Vec<String> {
    let short_names = &accepted.short_names;
    let is_own = |word: &String| [&accepted.plural, &accepted.singular].contains(&word) || short_names.contains(word);
    let singular = [&requested.singular].into_iter().filter(|word| **word != accepted.singular);
    let new = requested.short_names.iter().filter(|word| !short_names.contains(word));
    let words = singular.map(|word| ("singular", word)).chain(new.map(|word| ("shortNames", word)));
    let words = words.filter(|(_, word)| !word.is_empty() && is_own(word));
    let warning = |(field, word)| {
        format!(
            "spec.names.{field}: \"{word}\" is a name of this definition already: kube-apiserver 1.33 to 1.37 \
             sets NamesAccepted=False for it, unless the definition is new"
        )
    };
    words.map(warning).collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn names(singular: &str, short_names: &[&str]) -> Names {
        let short_names = short_names.iter().map(|word| (*word).to_owned()).collect();
        Names { plural: "widgets".into(), singular: singular.into(), short_names, ..Names::default() }
    }

    #[rstest]
    #[case::own_singular(names("widget", &["widget", "wd"]), names("widget", &[]), &["shortNames: \"widget\""])]
    #[case::own_plural(names("widget", &["widgets"]), names("widget", &[]), &["shortNames: \"widgets\""])]
    #[case::own_short_name_as_singular(names("wd", &["wd"]), names("widget", &["wd"]), &["singular: \"wd\""])]
    #[case::accepted_already(names("widget", &["widget", "wd"]), names("widget", &["widget"]), &[])]
    #[case::new_definition(names("widget", &["widget"]), Names::default(), &[])]
    #[case::other_names(names("gadget", &["wd"]), names("widget", &[]), &[])]
    fn life_006_own_names(#[case] requested: Names, #[case] accepted: Names, #[case] expected: &[&str]) {
        let found = warnings(&requested, &accepted);
        let begins =
            found.iter().zip(expected).all(|(warning, begin)| warning.starts_with(&format!("spec.names.{begin}")));
        assert!(begins && found.len() == expected.len(), "{found:?}");
    }
}

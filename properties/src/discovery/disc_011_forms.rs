//! DISC-003/e2, DISC-011/e2..e4: in which form discovery is answered.

use super::{
    documents::{AGGREGATED, Group, in_form, until},
    served::{Served, universe, unmade},
};
use crate::prelude::*;
use crate::shared::{definitions::make, names::Names};

pub(super) const PROPERTY: Property = Property::new("disc-011-forms", plan)
    .title("the first known form in Accept decides between aggregated and plain discovery")
    .asserts(&["DISC-003/e2", "DISC-011", "DISC-011/e2", "DISC-011/e3", "DISC-011/e4"])
    .needs(&[Capability::Discovery, Capability::AggregatedDiscovery]);

const PARAMETERS: &str = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// What a client may accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Aggregated(&'static str),
    Plain(&'static str),
    Anything,
    /// A version of aggregated discovery that no server has.
    Unknown,
}

const FORMS: [Form; 8] = [
    Form::Aggregated("application/json"),
    Form::Plain("application/json"),
    Form::Aggregated("application/yaml"),
    Form::Anything,
    Form::Unknown,
    Form::Plain("application/yaml"),
    Form::Aggregated(PROTOBUF),
    Form::Plain(PROTOBUF),
];

impl Form {
    /// The media type in the `Accept` header.
    fn accept(self) -> String {
        match self {
            Self::Aggregated(media) => format!("{media};{PARAMETERS}"),
            Self::Plain(media) => media.to_owned(),
            Self::Anything => "*/*".to_owned(),
            Self::Unknown => AGGREGATED.replace("v=v2", "v=v9"),
        }
    }

    /// What is more specific comes first, as clients send it.
    fn rank(self) -> u8 {
        match self {
            Self::Aggregated(_) | Self::Unknown => 0,
            Self::Plain(_) => 1,
            Self::Anything => 2,
        }
    }
}

/// The media type that a client gets who accepts these forms, and whether the document is aggregated; none if no form
/// is known.
fn chosen(forms: &[Form]) -> Option<(&'static str, bool)> {
    match forms.iter().find(|form| **form != Form::Unknown)? {
        Form::Aggregated(media) => Some((media, true)),
        Form::Plain(media) => Some((media, false)),
        Form::Anything | Form::Unknown => Some(("application/json", false)),
    }
}

fn plan(plan: &mut Plan, choices: &mut Choices) {
    let universe = universe(choices);
    let is_namespaced = choices.chance(1, 3);
    let definition = unmade(plan, is_namespaced, None);
    let served = Served::draw(choices, definition, is_namespaced, Names::given(0), &universe).serving();
    make(plan, definition, served.versions(), served.edits());
    let group = Group { of: definition, universe: &universe, shown: vec![&served] };
    plan.cases(choices, "request", |plan, choices| {
        let mut forms: Vec<Form> = choices.many_average("form", 1, 3, 2, |choices, _| *choices.pick(&FORMS));
        forms.sort_by_key(|form| form.rank());
        match choices.weighted(&[4, 1, 1]) {
            0 => of_all_groups(plan, &group, &forms),
            1 => of_the_core(plan, definition, &forms),
            _ => of_one_group(choices, plan, &group),
        }
    });
}

fn accept(forms: &[Form]) -> String {
    forms.iter().map(|form| form.accept()).collect::<Vec<_>>().join(",")
}

/// `/apis` for a client that accepts these forms.
fn of_all_groups(plan: &mut Plan, group: &Group<'_>, forms: &[Form]) {
    let request = in_form(&accept(forms), Resource::Groups { definition: group.of });
    let of_several: &[&str] = if forms.len() > 1 { &["DISC-011/e4"] } else { &[] };
    let Some((media, is_aggregated)) = chosen(forms) else {
        let refused = plan.send(request);
        plan.check("unknown", &["DISC-011/e4"], refused, Expectation::Status(406));
        return;
    };
    let expected = match (media, is_aggregated) {
        (PROTOBUF, _) => Expectation::Status(200),
        (_, true) => NamedCheck::AggregatedResources { versions: group.aggregated() }.into(),
        (_, false) => group.listed().into(),
    };
    let read = until(plan, request, expected.clone());
    let of_form: &[&str] = match (media, is_aggregated) {
        ("application/json", true) => &["DISC-011"],
        (_, true) => &["DISC-011/e3"],
        (_, false) => &["DISC-011/e4"],
    };
    let mut asserts = [of_form, of_several].concat();
    asserts.dedup();
    plan.check("content", &asserts, read, expected);
    let media_type = if is_aggregated { format!("{media};{PARAMETERS}") } else { media.to_owned() };
    let form = NamedCheck::Form { r#type: media_type, vary: is_aggregated };
    let requirement = if is_aggregated { "DISC-011/e2" } else { "DISC-011/e4" };
    plan.check("form", &[requirement], read, form);
}

/// `/api` in aggregated form or not.
fn of_the_core(plan: &mut Plan, definition: usize, forms: &[Form]) {
    let request = in_form(&accept(forms), Resource::Path { definition, path: "/api".to_owned() });
    let read = plan.send(request);
    // What else a server has is its own affair.
    plan.varies(read);
    match chosen(forms) {
        None => plan.check("unknown-core", &["DISC-011/e4"], read, Expectation::Status(406)),
        Some((PROTOBUF, _)) => plan.check("protobuf-core", &["DISC-011/e3"], read, Expectation::Status(200)),
        Some((_, true)) => plan.check("core", &["DISC-011/e2"], read, at("/kind", "APIGroupDiscoveryList")),
        Some((_, false)) => plan.check("plain-core", &["DISC-011/e4"], read, at("/kind", "APIVersions")),
    }
}

/// The documents of one group in other representations than JSON.
fn of_one_group(choices: &mut Choices, plan: &mut Plan, group: &Group<'_>) {
    let definition = group.of;
    let version = *choices.pick(&group.versions());
    let entries: Vec<Value> = group.shown.iter().flat_map(|served| served.entries(version)).collect();
    let documents = [
        (Resource::Group { definition }, group.listed()),
        (
            Resource::GroupVersion { definition, version: version.to_owned() },
            NamedCheck::Resources { version: version.to_owned(), resources: entries },
        ),
    ];
    let media = if choices.chance(1, 3) { PROTOBUF } else { "application/yaml" };
    for (resource, content) in documents {
        let expected = if media == PROTOBUF { Expectation::Status(200) } else { content.into() };
        let read = until(plan, in_form(media, resource), expected.clone());
        if media == PROTOBUF {
            // It says how long the generated names are.
            plan.varies(read);
        }
        plan.check("document", &["DISC-003/e2"], read, expected);
        let form = NamedCheck::Form { r#type: media.to_owned(), vary: false };
        plan.check("media-type", &["DISC-003/e2"], read, form);
    }
}

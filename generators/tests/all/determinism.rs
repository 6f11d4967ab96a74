//! A case depends only on its choices, wherever they come from.

use crdible_generators::choice::{Choices, Recording, Tape};
use crdible_generators::rule;
use crdible_generators::schema::{SchemaShape, schema};
use crdible_generators::update::{TightenedSchema, TightenedShape, VersionPlan, versions_update};
use crdible_generators::{definition, edit, format, pattern, value, versions};
use crdible_semantics::{Format, Pattern};
use rstest::rstest;
use serde_json::{Value, json};

fn everything(c: &mut Choices) -> Value {
    let shape = SchemaShape::swarm(c);
    let schema = schema(c, &shape);
    let mut valid = c.keyed("valid", |c| value::valid(c, &schema));
    let unknown = c.keyed("unknown", |c| edit::plant_unknown(c, &schema, &mut valid));
    let nulls = c.keyed("nulls", |c| edit::plant_nulls(c, &schema, &mut valid));
    let gone = c.keyed("gone", |c| edit::omit_keys(c, &schema, &mut valid));
    let shuffled = c.keyed("order", |c| edit::shuffle_keys(c, &valid).to_text());
    let arbitrary = c.keyed("arbitrary", |c| value::arbitrary(c, &schema));
    let broken = c.keyed("broken value", |c| value::broken(c, &schema)).map(|broken| broken.value);
    json!([schema.to_json(), valid, unknown, nulls, gone, shuffled, arbitrary, broken])
}

fn broken_schema(c: &mut Choices) -> Value {
    let broken = rule::broken_schema(c, &SchemaShape::everything());
    json!([broken.json, broken.row.name])
}

fn strings(c: &mut Choices) -> Value {
    let text = pattern::pattern(c);
    let parsed = Pattern::parse(&text).unwrap();
    let matching_text = c.keyed("match", |c| pattern::matching(c, &parsed));
    let missing = c.keyed("miss", |c| pattern::near_miss(c, &parsed));
    let format = *c.pick(&Format::all().collect::<Vec<_>>());
    let texts = json!([format::valid(c, format), format::broken(c, format)]);
    json!([text, matching_text, missing, texts])
}

fn version_list(c: &mut Choices) -> Value {
    json!(versions::version_list(c, &versions::VersionMix::default()))
}

fn definitions(c: &mut Choices) -> Value {
    let varied = definition::varied(c, &definition::variations().collect::<Vec<_>>());
    let (broken, twice) = (definition::broken(c), definition::twice_broken(c));
    json!([varied.document, varied.variation.name, broken.document, twice.document])
}

fn updates(c: &mut Choices) -> Value {
    let tightened = TightenedSchema::draw(c, &TightenedShape::default());
    let old = tightened.object(c);
    let news = [tightened.edited(c, &old), tightened.permuted(c, &old)];
    let versions = ["v1", "v2"].map(|name| VersionPlan { name, served: true, storage: name == "v1" });
    let update = versions_update(c, &versions, &["v1"]);
    let names: Vec<&str> = update.versions.iter().map(|version| version.name).collect();
    json!([tightened.loose(), tightened.tight(), old, news, names, update.lost])
}

fn run(mut choices: Choices, generate: fn(&mut Choices) -> Value) -> (Value, Recording) {
    let value = generate(&mut choices);
    (value, choices.finish())
}

#[rstest]
#[case::everything(everything)]
#[case::broken_schema(broken_schema)]
#[case::strings(strings)]
#[case::version_list(version_list)]
#[case::definitions(definitions)]
#[case::updates(updates)]
fn random_replay_and_bytes_make_the_same_case(#[case] generate: fn(&mut Choices) -> Value) {
    for seed in 0..300 {
        let (value, recording) = run(Choices::random(seed), generate);
        assert_eq!(run(Choices::random(seed), generate).0, value, "seed {seed} again");

        let (replayed, again) = run(Choices::replay(&recording.tape), generate);
        assert_eq!(replayed, value, "seed {seed} replayed");
        assert_eq!(again.tape, recording.tape);
        assert_eq!(again.spans, recording.spans);

        let bytes = recording.to_bytes();
        let (from_bytes, by_bytes) = run(Choices::bytes(&bytes), generate);
        assert_eq!(from_bytes, value, "seed {seed} from bytes");
        assert_eq!(by_bytes.tape, recording.tape);
        assert_eq!(recording.tape.to_bytes(generate), bytes);
        assert_eq!(Tape::from_bytes(&bytes, generate), recording.tape);

        let text = serde_json::to_string(&recording.tape).unwrap();
        assert_eq!(serde_json::from_str::<Tape>(&text).unwrap(), recording.tape);
    }
}

#[rstest]
#[case::everything(everything)]
#[case::broken_schema(broken_schema)]
#[case::strings(strings)]
#[case::version_list(version_list)]
#[case::definitions(definitions)]
#[case::updates(updates)]
fn any_bytes_and_any_tape_make_a_case(#[case] generate: fn(&mut Choices) -> Value) {
    for seed in 0..500_u64 {
        let mut state = seed;
        let bytes: Vec<u8> = (0..seed)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            })
            .collect();
        let (value, recording) = run(Choices::bytes(&bytes), generate);
        assert_eq!(run(Choices::replay(&recording.tape), generate).0, value);
        // A tape of another generator, and a tape with missing streams, are replayed as far as possible.
        let (_, other) = run(Choices::replay(&recording.tape), version_list);
        run(Choices::replay(&other.tape), generate);
        let half = recording.tape.streams().step_by(2).map(|(path, values)| (path.to_owned(), values.to_vec()));
        run(Choices::replay(&Tape::from_streams(half)), generate);
    }
}

#[test]
fn the_simplest_choices_make_the_simplest_case() {
    let (value, recording) = run(Choices::replay(&Tape::default()), |c| {
        let schema = schema(c, &SchemaShape::default());
        let content = value::valid(c, &schema);
        json!([schema.to_json(), content])
    });
    assert_eq!(value, json!([{"type": "object", "properties": {"spec": {"type": "object"}}}, {}]));
    assert!(
        recording.tape.streams().all(|(_, values)| values.iter().all(|&value| value == 0 || value == 4)),
        "{:?}",
        recording.tape
    );
}

/// FNV-1a: a hash that is the same on all platforms.
fn digest(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[rstest]
#[case::everything(everything, 1_064_399_221_525_907_625)]
#[case::broken_schema(broken_schema, 16_656_906_682_362_523_243)]
#[case::strings(strings, 8_274_195_032_063_907_064)]
#[case::version_list(version_list, 8_369_137_148_702_063_086)]
#[case::definitions(definitions, 1_269_204_743_271_960_969)]
#[case::updates(updates, 3_973_329_625_676_153_121)]
fn what_a_seed_means_never_changes(#[case] generate: fn(&mut Choices) -> Value, #[case] expected: u64) {
    // If this fails, every recorded seed has a new meaning: change it only on purpose, and add it to the CHANGELOG.
    let all: Vec<String> = (0..50).map(|seed| run(Choices::random(seed), generate).0.to_string()).collect();
    assert_eq!(digest(&all.concat()), expected);
}

#[test]
fn dropping_a_property_changes_no_other() {
    let generate = |c: &mut Choices| {
        let schema = schema(c, &SchemaShape { max_properties: 3, ..SchemaShape::default() });
        let content = c.keyed("object", |c| value::valid(c, &schema));
        (schema, content)
    };
    let mut compared = 0;
    for seed in 0..500 {
        let mut choices = Choices::random(seed);
        let (mut schema, content) = generate(&mut choices);
        let tape = choices.finish().tape;
        let Some(spec) = schema.properties.get_mut("spec") else {
            continue;
        };
        let has_counts = spec.values.min_properties.is_some();
        let Some((dropped, _)) = spec.properties.pop_first() else {
            continue;
        };
        if has_counts {
            continue;
        }
        // The same draws for the object, with the smaller schema.
        let below = tape.streams().filter(|(path, _)| path.starts_with("/object"));
        let tape = Tape::from_streams(below.map(|(path, values)| (path.to_owned(), values.to_vec())));
        let again = Choices::replay(&tape).keyed("object", |c| value::valid(c, &schema));
        let mut expected = content;
        if let Some(spec) = expected.get_mut("spec").and_then(Value::as_object_mut) {
            spec.remove(&dropped);
        }
        assert_eq!(again, expected, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

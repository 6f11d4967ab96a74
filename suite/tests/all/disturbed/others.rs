//! A run beside others: 200 other watchers and writers, or a second run.

use std::env;

use crdible::{
    connection::{Target, TargetOptions, connect},
    run::Stop,
};
use crdible_reports::{KnownFailures, Verdict};
use crdible_spec::Catalogue;

use crate::disturbed::{crowd::Crowd, ran::Run, server::Served};

/// How many other clients there are.
const MEMBERS: usize = 200;

async fn target(served: &Served) -> Target {
    let server = Some(format!("http://{}", served.address));
    connect(&TargetOptions { server, ..TargetOptions::default() }).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_others() {
    let served = Served::right().await;
    let crowd = Crowd::of(MEMBERS, target(&served).await.transport).await;
    let ran = Run::of(1, (1, 3)).at(served.address, || ()).await.unwrap();
    crowd.leave().await;
    assert_eq!(ran.acquits().verdict, Verdict::Conformant);
    assert_eq!(served.definitions(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn two_runs_at_once() {
    let served = Served::right().await;
    let [one, other] = [1, 2].map(|seed| Run::of(seed, (2, 4)).at(served.address, || ()));
    let (one, other) = tokio::join!(one, other);
    for ran in [one, other] {
        assert_eq!(ran.unwrap().acquits().verdict, Verdict::Conformant);
    }
    assert_eq!(served.definitions(), Vec::<String>::new());
}

/// The same on the server that `CRDIBLE_LAUNCH`, `CRDIBLE_SERVER` or `CRDIBLE_KUBECONFIG` names, with all properties:
/// `CRDIBLE_LAUNCH=/tmp/crdible-upstream cargo test --test all disturbed:: -- --ignored --nocapture`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs a server"]
async fn others_on_a_real_server() {
    let variable = |name: &str| env::var(name).ok().filter(|text| !text.is_empty());
    let options = TargetOptions {
        launch: variable("CRDIBLE_LAUNCH"),
        server: variable("CRDIBLE_SERVER"),
        kubeconfig: variable("CRDIBLE_KUBECONFIG").map(Into::into),
        ..TargetOptions::default()
    };
    let known = variable("CRDIBLE_KNOWN").map_or_else(KnownFailures::default, |path| {
        KnownFailures::parse(&std::fs::read_to_string(&path).unwrap(), &path, Catalogue::embedded()).unwrap()
    });
    let target = connect(&options).await.unwrap();
    let crowd = Crowd::of(MEMBERS, target.transport.clone()).await;
    let cases = variable("CRDIBLE_CASES").map_or(10, |text| text.parse().unwrap());
    let run = Run { cases, patience: std::time::Duration::from_secs(90), ..Run::of(1, (0, 1)) };
    let one = Run { seed: 1, ..run }.on(&target, known.clone(), || ());
    let other = async {
        let is_wanted = variable("CRDIBLE_RUNS").as_deref() == Some("2");
        if is_wanted { Some(Run { seed: 2, ..run }.on(&target, known.clone(), || ()).await) } else { None }
    };
    let (one, other) = tokio::join!(one, other);
    crowd.leave().await;
    for ran in [Some(one), other].into_iter().flatten() {
        let ran = ran.unwrap();
        assert_eq!(ran.stop, Some(Stop::Finished));
        assert!(!ran.judged.is_empty());
        let report = ran.report.as_ref().unwrap();
        assert_eq!(ran.left_behind, []);
        assert!(report.failures.is_empty(), "{}: {:#?}", report.statement, report.failures);
        assert!(ran.errors.is_empty(), "{:#?}", ran.errors);
    }
    target.shutdown().await;
}

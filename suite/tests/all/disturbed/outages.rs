//! Servers that are killed, held or started again in the middle of a run.

use std::time::Duration;

use crdible::run::Stop;
use crdible_reports::Verdict;
use futures_util::future::join_all;

use crate::disturbed::{
    first_seed,
    proxy::{Proxy, Way},
    ran::Run,
    server::Served,
};

/// What happens to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outage {
    /// It does not answer for a while.
    Held,
    /// It is started again with its data, …
    Restarted,
    /// … or without.
    Replaced,
}

/// How long an outage lasts: as long as a server takes to start.
const WHILE: Duration = Duration::from_secs(3);

/// The outage begins this number of requests after the first case.
const REQUESTS: u64 = 300;

/// All of them at once, since they wait for seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_gone_for_a_while_or_for_good() {
    let outages = [Outage::Held, Outage::Restarted, Outage::Replaced];
    let outages = (0..2).flat_map(|number| outages.map(|outage| comes_back(outage, first_seed() + number)));
    tokio::join!(never_comes_back(), join_all(outages));
}

async fn comes_back(outage: Outage, seed: u64) {
    let served = Served::right().await;
    let proxy = Proxy::before(served.address).await;
    let disturb = async {
        proxy.until_opened().await;
        proxy.until(proxy.requests() + REQUESTS * (1 + seed % 4)).await;
        proxy.set(if outage == Outage::Held { Way::Held } else { Way::Cut });
        let served = match outage {
            Outage::Held => served,
            Outage::Restarted => served.restarted().await,
            Outage::Replaced => Served::right().await,
        };
        tokio::time::sleep(WHILE).await;
        proxy.lead_to(served.address);
        proxy.set(Way::Open);
        served
    };
    let run = Run::of(seed, (seed.try_into().unwrap(), 4)).at(proxy.address, || proxy.say_opened());
    let (ran, served) = tokio::join!(run, disturb);
    let ran = ran.unwrap();
    ran.acquits();
    // Nearly all is judged: an outage costs at most what was in flight.
    assert!(ran.errors.len() <= 24, "{outage:?} at seed {seed}: {:#?}", ran.errors);
    assert_eq!(served.definitions(), Vec::<String>::new(), "{outage:?} at seed {seed}");
}

async fn never_comes_back() {
    let served = Served::right().await;
    let proxy = Proxy::before(served.address).await;
    let disturb = async {
        proxy.until_opened().await;
        proxy.until(proxy.requests() + REQUESTS).await;
        proxy.set(Way::Cut);
    };
    let run = Run { cases: 50, ..Run::of(1, (0, 4)) }.at(proxy.address, || proxy.say_opened());
    let (ran, ()) = tokio::join!(run, disturb);
    let ran = ran.unwrap();
    assert!(matches!(&ran.stop, Some(Stop::TargetLost(_))), "{ran:#?}");
    assert!(ran.failures.is_empty(), "{ran:#?}");
    let report = ran.report.as_ref().unwrap();
    assert_eq!((report.verdict, report.exit_code()), (Verdict::Unusable, 3));
    // The summary says what was judged, and what may be left.
    assert!(report.properties.iter().any(|property| property.cases > 0), "{ran:#?}");
    assert!(!ran.left_behind.is_empty());
}

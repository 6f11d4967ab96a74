//! The tests of the suite, one module for each subject. `faults` is a program of its own, since it has its own harness;
//! that all properties hold on the embedded server is what the example tests.

mod architecture;
mod cells;
#[path = "../shared/clock.rs"]
mod clock;
mod compare;
mod connection;
mod converters;
mod disturbed;
mod explore;
mod fuzz;
#[path = "../shared/json.rs"]
mod json;
mod releases;
#[path = "../shared/rewrite.rs"]
mod rewrite;
mod rules;
mod runner;
#[path = "../shared/sample.rs"]
mod sample;
mod support;
mod vary;

/// Bodies are trees of small strings: with the system's allocator, tests take a quarter longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

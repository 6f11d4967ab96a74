//! The tests of the suite, one module for each subject. `conformance` and `faults` are programs of their own: they have their own
//! harness.

mod architecture;
mod cells;
mod compare;
mod connection;
mod converters;
mod disturbed;
mod explore;
mod fuzz;
mod releases;
mod runner;
mod support;
mod vary;

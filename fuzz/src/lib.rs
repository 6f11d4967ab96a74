//! libFuzzer targets over the generators

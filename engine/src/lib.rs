//! The engine of crdible: connects to a server, runs scenarios on it, confirms and shrinks what fails.
//!
//! It knows scenarios, but no properties. From the bottom up:
//!
//! | module | |
//! |---|---|
//! | [`marks`] | the labels, annotations and names by which crdible recognizes what it created |
//! | [`created`] | what a run creates and must remove again |
//! | [`webhook`] | the webhooks that crdible serves to its target |
//! | [`connection`] | how a target is reached |
//! | [`cells`] | what scenarios send, counted by keyword, position and class of value |
//! | [`execute`] | runs a scenario on a target: scenario → transcript |
//! | [`run`] | which scenarios, how many at once; confirming and shrinking failures |
//! | [`fuzz`] | cases that learn: a corpus of choices that reached something new |
//! | [`converter`] | a conversion webhook instead of an API server |
//! | [`compare`] | two targets instead of one |
//! | [`profile`] | which levels of promises a target claims to keep |
//! | [`doctor`] | what a target supports, and what earlier runs left on it |

pub mod cells;
pub mod compare;
pub mod connection;
pub mod converter;
pub mod created;
pub mod doctor;
pub mod execute;
pub mod fuzz;
pub mod marks;
pub mod profile;
pub mod run;
pub mod webhook;

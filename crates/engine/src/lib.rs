//! The simulator: a scenario in, records out.
//!
//! One event for each packet and hop. [`run`] simulates a [`Scenario`] and gives its
//! [`Records`](closlab_record::Records); [`unloaded`] gives the time that each of its flows would take alone;
//! [`Control`] watches and cancels either from another thread. [`Network`] is the fabric without the
//! hosts, for those who bring their own.
//!
//! Everything is deterministic: events are ordered by time, then link number (then the marks of the plan, then
//! timers, then flow starts), random numbers come from streams named by purpose and entity, and nothing depends
//! on the clock of the machine, its number of threads or the iteration order of a hash table.

mod assemble;
mod audit;
mod control;
mod error;
#[cfg(test)]
mod failure_tests;
mod forwarding;
mod grey;
mod hosts;
mod link;
mod network;
mod packet;
mod plan;
mod queue;
mod queue_probe;
mod recorder;
mod schedule;
mod simulation;
mod switch;
mod throughput_probe;
mod unloaded;

pub use assemble::{run, unloaded};
pub use control::{Control, Progress};
pub use error::RunError;
pub use link::LinkCounters;
pub use network::{Delivery, Flux, Network, SwitchSetup};
pub use packet::Packet;

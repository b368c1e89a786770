//! The data-center fabric: hosts, switches, directed links, and the equal-cost groups between them.
//!
//! A [`Fabric`] is a plain table of nodes and directed links with dense identifiers; a builder such as
//! [`LeafSpine`] checks its parameters and fills the table. [`Routes`] is the control plane: it sees only
//! the switch graph, never the builder's formula, so that a fabric with broken or uneven links is routed
//! by the very same code. Nothing here knows about packets, time passing or load balancers.

mod assembly;
mod error;
mod fabric;
mod latency;
mod leaf_spine;
mod routes;
#[cfg(test)]
mod tests;

pub use error::FabricError;
pub use fabric::{Endpoint, Fabric, Host, Link, Role, Switch};
pub use latency::{base_delay, base_rtt};
pub use leaf_spine::LeafSpine;
pub use routes::{Group, LOCAL, NO_ROUTE, Routes};

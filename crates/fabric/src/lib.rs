//! The data-center fabric: hosts, switches, directed links, and the equal-cost groups between them.
//!
//! A [`Fabric`] is a plain table of nodes and directed links with dense identifiers; a builder such as
//! [`LeafSpine`] checks its parameters and fills the table. [`Asymmetry`] is what may then be changed: other
//! rates, additional cables, failures. The fabrics of the papers are in [`figures`]. [`Routes`] is the control
//! plane: it sees only the switch graph, never the builder's formula, so that a fabric with broken or uneven
//! links is routed by the very same code. Nothing here knows about packets, time passing or load balancers.

mod assembly;
mod asymmetry;
mod builders;
pub mod control;
mod convergence;
mod describe;
mod error;
mod fabric;
mod failure_plan;
pub mod figures;
mod fraction;
mod graph;
mod interning;
mod latency;
mod names;
mod random_failures;
mod routes;
#[cfg(test)]
mod tests;

pub use asymmetry::{Asymmetry, ExtraCables, RateOverride};
pub use builders::{
    CableEntry, FabricFile, FacebookFabric, FatTree, HostEntry, LeafSpine, StripedLeafSpine,
    Striping, SwitchEntry, ThreeTierClos, Vl2,
};
pub use convergence::{Convergence, Learned, LinkChange, learn};
pub use describe::{FabricSummary, PathSummary, TierSummary};
pub use error::FabricError;
pub use fabric::{Endpoint, Fabric, Host, Link, Role, Switch};
pub use failure_plan::{FailurePlan, GreyChange};
pub use latency::{base_delay, base_rtt};
pub use random_failures::RandomFailures;
pub use routes::{Group, LOCAL, NO_ROUTE, Routes};

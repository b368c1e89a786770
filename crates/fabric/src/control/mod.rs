//! What each scheme's control plane computes from the routed graph.
//!
//! Every part is a pure function of [`Fabric`](crate::Fabric) and [`Routes`](crate::Routes): it sees switches and links,
//! never a builder's formula. [`Routes`](crate::Routes) alone says which links work, since a link that is down stands in no
//! group; so a part computed from one switch's (perhaps outdated) routes sees the fabric as that switch does.
//!
//! Three parts weigh paths by capacity: WCMP, Presto after a failure, and DRILL's components ("similar to
//! the path weight assignments in [42, 73]", DRILL section 3.4.1). One rule serves them all, so that their
//! shares agree: a path is a sequence of switches, parallel cables between two switches act as one link of
//! their summed rate, and the capacity of a path is that of its slowest link (`p.cap`). DRILL section 3.4.3
//! treats "one 40Gbps link or four 10Gbps links" alike, and counting every combination of parallel cables
//! as a path would give a pair of double links four times the weight of a pair of single ones, for twice the
//! capacity.

mod bundles;
pub mod expeditus;
pub mod presto;
pub mod quiver;
mod shares;
#[cfg(test)]
mod tests;
pub mod wcmp;

pub use expeditus::{Expeditus, Multiplier, UplinkEntry};
pub use presto::{Presto, SourceRoute};
pub use quiver::{Component, Quiver, Symmetry};
pub use wcmp::{Oversubscription, Wcmp, WeightedGroup};

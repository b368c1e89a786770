//! The load balancers, one file each, and the little they may see of a switch.
//!
//! A scheme sees values, never a simulator: a [`Header`], the [`PathGroup`] of equal-cost ports and a
//! [`SwitchView`]. It uses integers only, reads no clock, and allocates nothing after construction, so that
//! the very same code runs in the simulator, in a software switch and as the golden model of hardware.
//!
//! Adding a scheme is one file (its manual page first) and one line in [`registry`].

mod drill;
mod ecmp;
pub mod hash;
mod header;
mod letflow;
pub mod manual;
mod random_packet;
pub mod registry;
mod round_robin_packet;
mod shared;
mod view;

pub use header::{Header, IpProtocol};
pub use manual::{Manual, Param, ParamUnit};
pub use view::{Balancer, ComponentSpan, Components, Ingress, PathGroup, SwitchConfig, SwitchView};

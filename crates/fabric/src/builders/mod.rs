//! The fabrics of the papers, each with its paper's names and parameters, and any other from a description.

mod checks;
mod facebook;
mod fat_tree;
mod file;
mod leaf_spine;
mod pods;
mod striped;
mod three_tier;
mod vl2;

pub(crate) use checks::{check_buffer, check_link};
pub use facebook::FacebookFabric;
pub use fat_tree::FatTree;
pub use file::{CableEntry, FabricFile, HostEntry, SwitchEntry};
pub use leaf_spine::LeafSpine;
pub use striped::{StripedLeafSpine, Striping};
pub use three_tier::ThreeTierClos;
pub use vl2::Vl2;

//! The one declarative description of a run.
//!
//! A [`Scenario`] is read from TOML or JSON, checked, and resolved: every default is filled in, so that the file
//! written beside the results says all that the run depended on. The structs of this crate are the only
//! definition of what may be written: their JSON schema ([`schema`]) drives the reading of files and its error
//! messages, the reference page ([`reference_markdown`]) and the comments of the resolved file.

mod asymmetry;
mod check;
mod convert;
mod describe;
mod error;
mod fabric;
mod fabric_file;
mod fabric_parts;
mod failure_plan;
mod failures;
mod field;
mod figure;
mod graph;
mod measure;
mod read;
mod reference;
mod scenario;
mod schema;
mod scheme;
mod switch;
mod tagged;
mod transport;
mod validate;
mod validate_fabric;
mod workload;
mod write;

pub use asymmetry::{Asymmetry, ExtraCables, RandomFailures, RateOverride};
pub use describe::FabricDescription;
pub use error::ScenarioError;
pub use fabric::{
    Fabric, FacebookFabric, FatTreeFabric, LeafSpineFabric, Striping, ThreeTierFabric, Vl2Fabric,
};
pub use fabric_file::{CableEntry, FileFabric, HostEntry, SwitchEntry, Tier};
pub use failures::{Change, ControlPlane, Failures, Grey, IdealControl, OspfControl, Unreachable};
pub use figure::{FigureFabric, PaperFigure};
pub use graph::{FabricGraph, GraphCable, GraphNode};
pub use measure::Measure;
pub use reference::reference_markdown;
pub use scenario::Scenario;
pub use schema::schema;
pub use scheme::Scheme;
pub use switch::{Switch, Visibility};
pub use transport::{CongestionControl, Dupthresh, Transport};
pub use workload::{
    FlowSizes, LoadReference, Pairs, PermutationWorkload, PoissonWorkload, Workload,
};

/// The tier of a switch, as descriptions of fabrics name it.
pub use closlab_fabric::Role;

use closlab_units::Time;

/// Bytes on the wire beyond a segment's payload: Ethernet header 14 and frame check sequence 4, preamble and
/// start delimiter 8, inter-frame gap 12 (IEEE 802.3), IPv4 header 20 (RFC 791), TCP header 20 (RFC 9293).
pub const WIRE_OVERHEAD: u16 = 78;

/// The fewest bytes that a packet takes on the wire: a frame of 64, preamble and start delimiter 8,
/// inter-frame gap 12 (IEEE 802.3).
pub const MIN_WIRE: u16 = 84;

/// Bytes of the TCP option that carries SACK blocks, without them: kind, length and two of padding (RFC 2018
/// section 3, RFC 9293 section 3.1).
pub const SACK_OPTION_BASE: u16 = 4;

/// Bytes of one SACK block: its two edges (RFC 2018 section 3).
pub const SACK_BLOCK: u16 = 8;

/// The longest time that a scenario may name, and the longest run: one day. Sums of a few such times stay far
/// below the 213 days that [`Time`] can hold.
pub const MAX_TIME: Time = Time::from_ms(86_400_000);

/// The most flows that may start until the window ends: 2^24, of which the tables still fit in memory.
pub const MAX_FLOWS: u64 = 1 << 24;

/// The most entries of all switches' routing tables, one for each switch and leaf: 2^26, a few hundred MB.
pub const MAX_ROUTES: u64 = 1 << 26;

/// The most directed links of a fabric: 2^20, of which a run's tables and queues still fit in memory.
pub const MAX_LINKS: u64 = 1 << 20;

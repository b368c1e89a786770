//! How much traffic a load is, and how often flows must arrive to offer it.
//!
//! Load is the payload that new flows bring per second, in the mean, over a reference capacity. It is an
//! offered load: whether it is carried is the result of a run. Its mean flow size is the sampler's own
//! ([`SizeDistribution::mean`]). Headers, acknowledgements and retransmissions come on top;
//! [`Offered::wire_load`] counts the headers.

use crate::error::WorkloadError;
use crate::pairs::Pairs;
use crate::sizes::SizeDistribution;
use closlab_fabric::Fabric;
use closlab_units::TorId;

/// What the load is relative to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LoadReference {
    /// The sum over all leaves of their uplinks' rates, in the leaf-to-spine direction; only flows between
    /// different leaves count. It is the "bisectional bandwidth" of LetFlow (section 5.1) and CONGA.
    #[default]
    Uplinks,
    /// The sum of all host links' rates; every flow counts.
    Hosts,
}

/// An offered load, resolved on a fabric.
///
/// For a study of failures, resolve it on the intact fabric: LetFlow (section 5.1) states loads "relative to
/// the bisectional bandwidth without the link failure".
#[derive(Debug, Clone, PartialEq)]
pub struct Offered {
    /// The load that was asked for.
    pub load: f64,
    /// What it is relative to.
    pub reference: LoadReference,
    /// The reference capacity in bits per second.
    pub reference_bps: u64,
    /// Mean number of new flows per second, over the whole fabric.
    pub flows_per_second: f64,
    /// Mean time between two new flows, in picoseconds.
    pub mean_interarrival_ps: f64,
    /// Mean flow size in bytes.
    pub mean_size: f64,
    /// Share of the flows that cross leaf uplinks.
    pub crossing_fraction: f64,
    /// Payload crossing uplinks over the uplinks' capacity.
    pub uplink_load: f64,
    /// Payload over the hosts' capacity; every host sends as much as every other, so the slowest host's.
    pub host_load: f64,
}

impl Offered {
    /// Resolves `load` (a fraction above 0 and below 1) of `reference` on `fabric`.
    ///
    /// # Errors
    /// A load outside 0..1; or one at which the other kind of link would be offered its full capacity or
    /// more, so that queues would grow for as long as the run lasts.
    pub fn resolve(
        fabric: &Fabric,
        sizes: &SizeDistribution,
        pairs: Pairs,
        load: f64,
        reference: LoadReference,
    ) -> Result<Offered, WorkloadError> {
        if !(load > 0.0 && load < 1.0) {
            return Err(WorkloadError::new(
                "load",
                load,
                "a load is a fraction above 0 and below 1 of the reference capacity",
                "write for example 0.6 (not a percentage)",
            ));
        }
        let capacity = Capacity::of(fabric);
        let crossing_fraction = pairs.crossing_fraction(fabric);
        if reference == LoadReference::Uplinks && crossing_fraction == 0.0 {
            return Err(WorkloadError::new(
                "load",
                load,
                "it is relative to the uplinks, and no flow crosses them on this fabric",
                "make it relative to the host links, or give the fabric more leaves with hosts",
            ));
        }
        let (reference_bps, counted) = match reference {
            LoadReference::Uplinks => (capacity.uplinks, crossing_fraction),
            LoadReference::Hosts => (capacity.hosts, 1.0),
        };
        let mean_size = sizes.mean();
        let flows_per_second = load * reference_bps as f64 / (mean_size * 8.0 * counted);
        let offered_bps = flows_per_second * mean_size * 8.0;
        let offered = Offered {
            load,
            reference,
            reference_bps,
            flows_per_second,
            mean_interarrival_ps: 1e12 / flows_per_second,
            mean_size,
            crossing_fraction,
            uplink_load: offered_bps * crossing_fraction / capacity.uplinks as f64,
            host_load: offered_bps / capacity.equal_hosts as f64,
        };
        offered.check(&capacity)?;
        Ok(offered)
    }

    /// The load as the wires see it: every flow of s bytes is sent as ceil(s/`mss`) packets with
    /// `header_bytes` each (78 for IPv4, TCP without options and all of Ethernet's framing: 20 + 20 +
    /// 14 + 4 + 8 + 12). Acknowledgements and retransmissions are not counted.
    ///
    /// # Errors
    /// An `mss` of zero.
    pub fn wire_load(
        &self,
        sizes: &SizeDistribution,
        mss: u64,
        header_bytes: u64,
    ) -> Result<f64, WorkloadError> {
        if mss == 0 {
            return Err(WorkloadError::new(
                "mss",
                0,
                "a segment carries at least one byte",
                "write for example \"1460B\"",
            ));
        }
        let headers = sizes.mean_segments(mss) * header_bytes as f64;
        Ok(self.load * (self.mean_size + headers) / self.mean_size)
    }

    fn check(&self, capacity: &Capacity) -> Result<(), WorkloadError> {
        let (kind, implied) = match self.reference {
            LoadReference::Uplinks => ("host", self.host_load),
            LoadReference::Hosts => ("uplink", self.uplink_load),
        };
        if implied < 1.0 {
            return Ok(());
        }
        let (hosts, uplinks) = (capacity.hosts, capacity.uplinks);
        let divisor = gcd(hosts, uplinks).max(1);
        Err(WorkloadError::new(
            "load",
            self.load,
            format!(
                "host links would be loaded {:.3} and uplinks {:.3} (host to uplink capacity is {}:{}), \
                 so the {kind} links could never carry it",
                self.host_load,
                self.uplink_load,
                hosts / divisor,
                uplinks / divisor,
            ),
            // Rounded down, so that a load below the number shown is never refused.
            format!(
                "write a load below {:.4}",
                (self.load / implied * 1e4).floor() / 1e4
            ),
        ))
    }
}

/// Bits per second of the whole fabric, one way.
struct Capacity {
    hosts: u64,
    uplinks: u64,
    /// What all hosts could send if each had the slowest host's rate.
    equal_hosts: u64,
}

impl Capacity {
    fn of(fabric: &Fabric) -> Capacity {
        let rate = |host: &closlab_fabric::Host| fabric.link(host.uplink).rate.bps();
        let tors = (0..fabric.tors.len()).filter_map(TorId::from_index);
        Capacity {
            hosts: fabric.hosts.iter().map(rate).sum(),
            uplinks: tors.map(|tor| fabric.uplink_capacity(tor)).sum(),
            equal_hosts: fabric.hosts.iter().map(rate).min().unwrap_or(0)
                * fabric.hosts.len() as u64,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

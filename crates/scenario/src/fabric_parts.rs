//! From `[fabric]` and `[asymmetry]` to the builders of fabrics.

use crate::{
    Asymmetry, Fabric, FacebookFabric, FatTreeFabric, FileFabric, LeafSpineFabric, Striping,
    ThreeTierFabric, Tier, Vl2Fabric,
};
use closlab_fabric::{
    FabricError, FabricFile, FatTree, LeafSpine, Role, StripedLeafSpine, ThreeTierClos, Vl2,
};
use closlab_units::Bytes;

/// What a fabric would consist of, from its parameters alone and before anything is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub leaves: u128,
    pub switches: u128,
    /// Directed links.
    pub links: u128,
}

/// Evaluates `$body` with `$section` bound to the fields of whichever kind `$fabric` is.
macro_rules! each_kind {
    ($fabric:expr, $section:ident => $body:expr) => {
        match $fabric {
            Fabric::LeafSpine($section) => $body,
            Fabric::ThreeTier($section) => $body,
            Fabric::FatTree($section) => $body,
            Fabric::Vl2($section) => $body,
            Fabric::Facebook($section) => $body,
            Fabric::File($section) => $body,
            Fabric::Figure($section) => $body,
        }
    };
}

impl Fabric {
    /// The buffer of each switch output port.
    pub fn buffer(&self) -> Bytes {
        each_kind!(self, section => section.buffer)
    }

    /// The buffer of each host's network card.
    pub fn nic_buffer(&self) -> Bytes {
        each_kind!(self, section => section.nic_buffer)
    }

    /// Above how many bytes in its queue a switch marks packets; `None`: never.
    pub fn ecn_threshold(&self) -> Option<Bytes> {
        each_kind!(self, section => section.ecn_threshold)
    }

    /// The fabric as its parameters say, without asymmetry.
    pub(crate) fn build(&self) -> Result<closlab_fabric::Fabric, FabricError> {
        match self {
            Fabric::LeafSpine(section) => section.build(),
            Fabric::ThreeTier(section) => ThreeTierClos::from(section).build(),
            Fabric::FatTree(section) => FatTree::from(section).build(),
            Fabric::Vl2(section) => Vl2::from(section).build(),
            Fabric::Facebook(section) => closlab_fabric::FacebookFabric::from(section).build(),
            Fabric::File(section) => FabricFile::from(section).build(),
            Fabric::Figure(section) => section.build(),
        }
    }

    /// What it would consist of, in integers so wide that no parameters overflow them.
    pub(crate) fn size(&self) -> Size {
        match self {
            Fabric::LeafSpine(f) => {
                let [leaves, spines, hosts] =
                    [f.leaves, f.spines, f.hosts_per_leaf].map(u128::from);
                let doubled = u128::from(f.striping != Striping::Even);
                let parallel = u128::from(f.links_per_pair) + doubled;
                let links = 2 * leaves * (hosts + spines * parallel);
                Size {
                    leaves,
                    switches: leaves + spines,
                    links,
                }
            }
            Fabric::ThreeTier(f) => pods(
                [
                    f.pods,
                    f.tors_per_pod,
                    f.aggregations_per_pod,
                    f.cores_per_plane,
                ],
                f.hosts_per_tor,
            ),
            Fabric::FatTree(f) => pods([f.k, f.k / 2, f.k / 2, f.k / 2], f.k / 2),
            Fabric::Facebook(f) => pods(
                [
                    f.pods,
                    f.racks_per_pod,
                    f.fabric_switches_per_pod,
                    f.spines_per_plane,
                ],
                f.hosts_per_rack,
            ),
            Fabric::Vl2(f) => {
                let [tors, aggregates, intermediates, hosts] =
                    [f.tors, f.aggregates, f.intermediates, f.hosts_per_tor].map(u128::from);
                let switches = tors + aggregates + intermediates;
                let links = 2 * (tors * (hosts + 2) + aggregates * intermediates);
                Size {
                    leaves: tors,
                    switches,
                    links,
                }
            }
            // A figure's size is known; what is wrong with its buffers is told when it is built.
            Fabric::Figure(f) => f.build().map_or(
                Size {
                    leaves: 0,
                    switches: 0,
                    links: 0,
                },
                |built| Size {
                    leaves: built.tors.len() as u128,
                    switches: built.switches.len() as u128,
                    links: built.links.len() as u128,
                },
            ),
            Fabric::File(f) => {
                let leaves = f
                    .switches
                    .iter()
                    .filter(|entry| entry.role == Tier::Leaf)
                    .count();
                let cables = f.cables.iter().map(|cable| u128::from(cable.parallel));
                Size {
                    leaves: leaves as u128,
                    switches: f.switches.len() as u128,
                    links: 2 * cables.sum::<u128>(),
                }
            }
        }
    }

    /// The pod of the switch of that role and position within its tier; `None` for a switch or fabric without.
    pub(crate) fn pod(&self, role: Role, index: usize) -> Option<usize> {
        let (leaves, aggregations) = match self {
            Fabric::LeafSpine(f) => {
                let pods = f.pods.map(usize::from)?;
                let size = if role == Role::Leaf {
                    f.leaves
                } else {
                    f.spines
                };
                return index.checked_div(usize::from(size) / pods.max(1));
            }
            Fabric::ThreeTier(f) => (f.tors_per_pod, f.aggregations_per_pod),
            Fabric::FatTree(f) => (f.k / 2, f.k / 2),
            Fabric::Facebook(f) => (f.racks_per_pod, f.fabric_switches_per_pod),
            Fabric::Vl2(_) | Fabric::File(_) | Fabric::Figure(_) => return None,
        };
        match role {
            Role::Leaf => index.checked_div(leaves.into()),
            Role::Aggregation => index.checked_div(aggregations.into()),
            Role::Spine | Role::Core => None,
        }
    }
}

/// The size of pods, ToRs and aggregation switches in each, cores in each plane, hosts under each ToR.
fn pods(counts: [u16; 4], hosts: u16) -> Size {
    let [pods, tors, aggregations, cores] = counts.map(u128::from);
    Size {
        leaves: pods * tors,
        switches: pods * (tors + aggregations) + aggregations * cores,
        links: 2 * pods * (tors * u128::from(hosts) + aggregations * (tors + cores)),
    }
}

impl LeafSpineFabric {
    fn build(&self) -> Result<closlab_fabric::Fabric, FabricError> {
        let base = LeafSpine::from(self);
        let striping = match self.striping {
            Striping::Even => return base.build(),
            Striping::NextSpine => closlab_fabric::Striping::Neighbours,
            Striping::Pods => closlab_fabric::Striping::Pods {
                pods: self.pods.unwrap_or(1).into(),
            },
        };
        StripedLeafSpine { base, striping }.build()
    }
}

impl From<Tier> for Role {
    fn from(tier: Tier) -> Role {
        match tier {
            Tier::Leaf => Role::Leaf,
            Tier::Aggregation => Role::Aggregation,
            Tier::Spine => Role::Spine,
            Tier::Core => Role::Core,
        }
    }
}

/// Defines the conversion of a section into the builder with the same fields.
macro_rules! builder {
    ($section:ty => $builder:ty { $($count:ident),+ ; $($plain:ident),+ }) => {
        impl From<&$section> for $builder {
            fn from(section: &$section) -> $builder {
                Self {
                    $($count: section.$count.into(),)+
                    $($plain: section.$plain,)+
                    buffer: section.buffer,
                    nic_buffer: section.nic_buffer,
                }
            }
        }
    };
}

builder!(LeafSpineFabric => LeafSpine {
    leaves, spines, hosts_per_leaf, links_per_pair;
    host_rate, uplink_rate, host_delay, uplink_delay
});
builder!(ThreeTierFabric => ThreeTierClos {
    pods, tors_per_pod, aggregations_per_pod, cores_per_plane, hosts_per_tor;
    host_rate, tor_rate, core_rate, host_delay, tor_delay, core_delay
});
builder!(FatTreeFabric => FatTree { k; rate, host_delay, link_delay });
builder!(Vl2Fabric => Vl2 {
    tors, aggregates, intermediates, hosts_per_tor;
    host_rate, link_rate, host_delay, link_delay
});
builder!(FacebookFabric => closlab_fabric::FacebookFabric {
    pods, racks_per_pod, fabric_switches_per_pod, spines_per_plane, hosts_per_rack;
    host_rate, rack_rate, spine_rate, host_delay, rack_delay, spine_delay
});

impl From<&FileFabric> for FabricFile {
    fn from(section: &FileFabric) -> FabricFile {
        let switches = section
            .switches
            .iter()
            .map(|entry| closlab_fabric::SwitchEntry {
                name: entry.name.clone(),
                role: entry.role.into(),
            });
        let hosts = section.hosts.iter().map(|entry| closlab_fabric::HostEntry {
            name: entry.name.clone(),
            nic_buffer: entry.nic_buffer.unwrap_or(section.nic_buffer),
        });
        let cables = section
            .cables
            .iter()
            .map(|entry| closlab_fabric::CableEntry {
                ends: entry.ends.clone(),
                rate: entry.rate,
                delay: entry.delay,
                buffer: entry.buffer.unwrap_or(section.buffer),
                parallel: entry.parallel.into(),
            });
        FabricFile {
            switches: switches.collect(),
            hosts: hosts.collect(),
            cables: cables.collect(),
        }
    }
}

impl Asymmetry {
    /// Whether it changes nothing.
    pub fn is_none(&self) -> bool {
        *self == Asymmetry::default()
    }

    /// Whether anything has failed.
    pub(crate) fn has_failures(&self) -> bool {
        !(self.failed_links.is_empty()
            && self.failed_switches.is_empty()
            && self.random_failures.is_empty())
    }

    /// The fabric crate's form; `seed` is the scenario's.
    pub(crate) fn to_fabric(&self, seed: u64) -> closlab_fabric::Asymmetry {
        let extra = self
            .extra_cables
            .iter()
            .map(|extra| closlab_fabric::ExtraCables {
                beside: extra.beside.clone(),
                count: extra.count.into(),
            });
        let rates = self
            .rates
            .iter()
            .map(|change| closlab_fabric::RateOverride {
                link: change.link.clone(),
                rate: change.rate,
            });
        let random = self
            .random_failures
            .iter()
            .map(|random| closlab_fabric::RandomFailures {
                between: (random.between[0].into(), random.between[1].into()),
                count: random.count,
                per_switch: random.per_switch,
                switches: random.switches.clone(),
                seed: random.seed.unwrap_or(seed),
            });
        closlab_fabric::Asymmetry {
            extra_cables: extra.collect(),
            rates: rates.collect(),
            failed_links: self.failed_links.clone(),
            failed_switches: self.failed_switches.clone(),
            random_failures: random.collect(),
        }
    }
}

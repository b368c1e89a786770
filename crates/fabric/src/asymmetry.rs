//! What makes a fabric uneven: other rates, additional cables, failures. All of it is data, applied to a built
//! fabric before routes are computed.

use crate::assembly::{Assembly, Cable};
use crate::builders::{check_buffer, check_link};
use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Role};
use crate::random_failures::RandomFailures;
use closlab_units::{LinkId, Rate};

/// Changes to a fabric, applied in the order of the fields: what is failed may be a cable that was added.
///
/// Cables are named as by [`Fabric::cables_named`]: `leaf0-spine1` are all parallel cables between the two,
/// `leaf0-spine1#1` is the second of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asymmetry {
    /// Additional parallel cables.
    pub extra_cables: Vec<ExtraCables>,
    /// Cables of another rate: "heterogeneous links (same stage links with different capacities)" (DRILL,
    /// section 3.4.3).
    pub rates: Vec<RateOverride>,
    /// Cables that have failed, both directions of each.
    pub failed_links: Vec<String>,
    /// Switches that have failed: all their cables are down.
    pub failed_switches: Vec<String>,
    /// Cables that fail at random, each entry with a random stream of its own.
    pub random_failures: Vec<RandomFailures>,
}

/// Additional cables beside an existing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraCables {
    /// The cable they are like, between two switches; of several the first. They take the next free ports.
    pub beside: String,
    /// How many.
    pub count: u32,
}

/// Another rate for the cables of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateOverride {
    /// The cables.
    pub link: String,
    /// Their rate, in both directions.
    pub rate: Rate,
}

impl Asymmetry {
    /// The changed fabric. All ports and links that `fabric` had keep their numbers.
    ///
    /// # Errors
    /// A name that does not exist (the nearest one is named), an impossible rate, more random failures than
    /// their limits allow. The field is that of this struct, with its index.
    pub fn apply(&self, fabric: Fabric) -> Result<Fabric, FabricError> {
        let mut fabric = self.with_extra_cables(fabric)?;
        for (i, change) in self.rates.iter().enumerate() {
            let at = |field: &str| format!("rates[{i}].{field}");
            let links = found(&fabric, at("link"), &change.link)?;
            for link in links {
                set_rate(&mut fabric, link, change.rate, &at("rate"))?;
            }
        }
        for (i, name) in self.failed_links.iter().enumerate() {
            for link in found(&fabric, format!("failed_links[{i}]"), name)? {
                fabric.set_cable_up(link, false);
            }
        }
        for (i, name) in self.failed_switches.iter().enumerate() {
            let node = fabric.switch_named(name).map_err(|error| FabricError {
                field: format!("failed_switches[{i}]"),
                ..error
            })?;
            for link in fabric.switch(node).ports.clone() {
                fabric.set_cable_up(link, false);
            }
        }
        for (i, failures) in self.random_failures.iter().enumerate() {
            failures.apply(&mut fabric, i)?;
        }
        Ok(fabric)
    }

    fn with_extra_cables(&self, fabric: Fabric) -> Result<Fabric, FabricError> {
        let mut assembly = Assembly::resume(fabric);
        for (i, extra) in self.extra_cables.iter().enumerate() {
            let field = format!("extra_cables[{i}].beside");
            let fabric = assembly.fabric();
            let link = found(fabric, field.clone(), &extra.beside)?[0];
            let (forth, back) = (fabric.link(link), fabric.link(fabric.reverse(link)));
            let (Endpoint::Switch(near), Endpoint::Switch(far)) = (forth.from, forth.to) else {
                return Err(FabricError::new(
                    field,
                    &extra.beside,
                    "a host has one network interface, so it takes one cable",
                    "name a cable between two switches",
                ));
            };
            if extra.count == 0 {
                return Err(FabricError::new(
                    format!("extra_cables[{i}].count"),
                    0,
                    "cables that are not there",
                    "write at least 1, or remove the entry",
                ));
            }
            let cable = Cable {
                rate: forth.rate,
                delay: forth.delay,
                near_buffer: forth.buffer,
                far_buffer: back.buffer,
            };
            assembly.trunk(near, far, extra.count, cable)?;
        }
        Ok(assembly.finish())
    }
}

/// The cables of that name, the error under the field where the name stands.
fn found(fabric: &Fabric, field: String, name: &str) -> Result<Vec<LinkId>, FabricError> {
    fabric
        .cables_named(name)
        .map_err(|error| FabricError { field, ..error })
}

fn set_rate(fabric: &mut Fabric, link: LinkId, rate: Rate, field: &str) -> Result<(), FabricError> {
    for id in [link, fabric.reverse(link)] {
        let link = &mut fabric.links[id.index()];
        check_link(field, rate, "delay", link.delay)?;
        check_buffer("buffer", link.buffer, rate)?;
        link.rate = rate;
    }
    Ok(())
}

/// The two roles that a cable between switches connects, the lower one first; `None` at a host's.
pub(crate) fn tier_of(fabric: &Fabric, link: LinkId) -> Option<(Role, Role)> {
    let link = fabric.link(link);
    let (Endpoint::Switch(a), Endpoint::Switch(b)) = (link.from, link.to) else {
        return None;
    };
    let (a, b) = (fabric.switch(a).role, fabric.switch(b).role);
    Some(if a.height() <= b.height() {
        (a, b)
    } else {
        (b, a)
    })
}

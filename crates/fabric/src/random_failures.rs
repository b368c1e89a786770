//! Cables that fail at random.

use crate::asymmetry::tier_of;
use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric, Role};
use closlab_units::LinkId;
use closlab_units::rng::{Purpose, Rng};

/// So many cables of one tier fail, "uniformly at random in each run, with each switch having at most 2 failed
/// links" (Expeditus, section 5.5).
///
/// Cables are drawn one after the other, each uniformly among those that still may fail; the paper does not say
/// how its authors kept the limit, and drawing anew whenever a switch would have too many comes to the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RandomFailures {
    /// The tier: the roles at both ends of a cable, in any order. Parallel cables fail one by one.
    pub between: (Role, Role),
    /// How many working cables fail.
    pub count: u32,
    /// At most so many failed cables at each switch, those of this tier that have failed before included; `None`
    /// sets no limit.
    pub per_switch: Option<u32>,
    /// Only cables with an end among these switches; `agg0.*` are all whose name begins with `agg0.`, for the
    /// paper's "links in one pod". Empty: every cable of the tier.
    pub switches: Vec<String>,
    /// The seed of the draw.
    pub seed: u64,
}

/// Under a tight limit early draws can leave no room for later ones (the paper's limit of 2 on 6 x 6 switches
/// is far from tight): so often the draw is begun anew before it is given up.
const ATTEMPTS: u32 = 1_000;

impl RandomFailures {
    /// Fails the cables; `index` is the place of this entry in its list, and gives it a stream of its own.
    pub(crate) fn apply(&self, fabric: &mut Fabric, index: usize) -> Result<(), FabricError> {
        let field = |name: &str| format!("random_failures[{index}].{name}");
        self.check_switches(fabric, &field)?;
        let mut candidates: Vec<LinkId> = fabric
            .cables()
            .filter(|&link| self.is_candidate(fabric, link))
            .collect();
        let mut rng = Rng::stream(self.seed, Purpose::Failures, index as u64);
        let before = self.failed_before(fabric);
        let mut most = 0;
        for _ in 0..ATTEMPTS {
            shuffle(&mut candidates, &mut rng);
            let chosen = self.choose(fabric, &candidates, before.clone());
            if chosen.len() == self.count as usize {
                for link in chosen {
                    fabric.set_cable_up(link, false);
                }
                return Ok(());
            }
            most = most.max(chosen.len());
            if self.per_switch.is_none() || candidates.len() < self.count as usize {
                break;
            }
        }
        Err(FabricError::new(
            field("count"),
            self.count,
            format!(
                "only {most} of the {} cables in question can fail together",
                candidates.len()
            ),
            "let fewer fail, or raise per_switch",
        ))
    }

    /// As many of `candidates`, in their order, as the limits allow, up to `count`.
    fn choose(&self, fabric: &Fabric, candidates: &[LinkId], mut failed: Vec<u32>) -> Vec<LinkId> {
        let limit = self.per_switch.unwrap_or(u32::MAX);
        let mut chosen = Vec::new();
        for &link in candidates {
            if chosen.len() == self.count as usize {
                break;
            }
            let ends = ends_of(fabric, link);
            if ends.iter().all(|&node| failed[node] < limit) {
                for node in ends {
                    failed[node] += 1;
                }
                chosen.push(link);
            }
        }
        chosen
    }

    fn is_candidate(&self, fabric: &Fabric, link: LinkId) -> bool {
        let named = || {
            let mut ends = ends_of(fabric, link).into_iter();
            ends.any(|node| {
                let name = &fabric.switches[node].name;
                self.switches.iter().any(|pattern| matches(pattern, name))
            })
        };
        self.is_of_tier(fabric, link)
            && fabric.link(link).up
            && (self.switches.is_empty() || named())
    }

    fn is_of_tier(&self, fabric: &Fabric, link: LinkId) -> bool {
        let (a, b) = self.between;
        tier_of(fabric, link).is_some_and(|tier| tier == (a, b) || tier == (b, a))
    }

    /// For each switch its cables of the tier that are down already.
    fn failed_before(&self, fabric: &Fabric) -> Vec<u32> {
        let mut failed = vec![0; fabric.switches.len()];
        let down = |&link: &LinkId| !fabric.link(link).up && self.is_of_tier(fabric, link);
        for link in fabric.cables().filter(down) {
            for node in ends_of(fabric, link) {
                failed[node] += 1;
            }
        }
        failed
    }

    fn check_switches(
        &self,
        fabric: &Fabric,
        field: &impl Fn(&str) -> String,
    ) -> Result<(), FabricError> {
        for pattern in &self.switches {
            let found = fabric.switches.iter().any(|s| matches(pattern, &s.name));
            if !found {
                let stem = pattern.strip_suffix('*').unwrap_or(pattern);
                let error = fabric.switch_named(stem).err();
                return Err(FabricError::new(
                    field("switches"),
                    pattern,
                    "the fabric has no such switch",
                    error.map_or(String::new(), |error| error.remedy),
                ));
            }
        }
        Ok(())
    }
}

/// Whether `name` is `pattern`, or begins with what stands before its final `*`.
fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

/// The switches at both ends of a link.
fn ends_of(fabric: &Fabric, link: LinkId) -> Vec<usize> {
    let link = fabric.link(link);
    let switch = |end| match end {
        Endpoint::Switch(node) => Some(node.index()),
        Endpoint::Host(_) => None,
    };
    [link.from, link.to]
        .into_iter()
        .filter_map(switch)
        .collect()
}

/// Fisher and Yates; the numbers of cables fit 32 bits as their identifiers do.
fn shuffle(links: &mut [LinkId], rng: &mut Rng) {
    for last in (1..links.len()).rev() {
        links.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

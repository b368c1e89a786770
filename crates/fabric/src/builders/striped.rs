//! Leaf-spine fabrics whose pairs of switches have unequal numbers of cables.

use super::checks::check_counts;
use super::leaf_spine::LeafSpine;
use crate::error::FabricError;
use crate::fabric::Fabric;

/// Which pairs of leaf and spine have one cable more than the others: "imbalanced striping", which "occurs when
/// the switch radix in one layer of a Clos topology is not divisible by the number of switches in an adjacent
/// layer" (LetFlow, section 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Striping {
    /// Leaf `i` to the spines `i` and `i + 1`, counted modulo the spines (DRILL Fig. 13: "spines S_{i (mod 16)}
    /// and S_{(i+1) (mod 16)} via two 10Gbps links and to every other spine with one").
    Neighbours,
    /// Leaves and spines of the same pod (LetFlow Fig. 13, from the WCMP paper: "two 10 Gbps links while
    /// inter-pod connections use a single 10 Gbps link").
    Pods {
        /// Leaves and spines are dealt in equal blocks to so many pods.
        pods: u32,
    },
}

/// A [`LeafSpine`] with one cable more wherever the striping says so.
///
/// Ports are numbered as in the even fabric: by spine (or leaf), then by parallel cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StripedLeafSpine {
    /// The fabric without the additional cables.
    pub base: LeafSpine,
    /// Where the additional cables are.
    pub striping: Striping,
}

impl StripedLeafSpine {
    /// Builds the fabric, or names the first field that makes it impossible.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        // One more can't overflow what `validate` computes in 128 bits, and it refuses the sum itself.
        self.base
            .validate(self.base.links_per_pair.saturating_add(1))?;
        if let Striping::Pods { pods } = self.striping {
            self.validate_pods(pods)?;
        }
        let cables =
            |leaf, spine| self.base.links_per_pair + u32::from(self.is_doubled(leaf, spine));
        self.base.wire(cables)
    }

    fn is_doubled(&self, leaf: u32, spine: u32) -> bool {
        let LeafSpine { leaves, spines, .. } = self.base;
        match self.striping {
            Striping::Neighbours => spine == leaf % spines || spine == (leaf + 1) % spines,
            Striping::Pods { pods } => leaf / (leaves / pods) == spine / (spines / pods),
        }
    }

    fn validate_pods(&self, pods: u32) -> Result<(), FabricError> {
        check_counts(&[("pods", pods)], "a striping by pods")?;
        let tiers = [("leaves", self.base.leaves), ("spines", self.base.spines)];
        let uneven = tiers.iter().find(|(_, count)| !count.is_multiple_of(pods));
        uneven.map_or(Ok(()), |(field, count)| {
            Err(FabricError::new(
                "pods",
                pods,
                format!("{count} {field} can't be dealt equally to {pods} pods"),
                format!("write a number that divides {count}"),
            ))
        })
    }
}

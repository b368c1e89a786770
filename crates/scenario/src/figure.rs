//! `[fabric] kind = "figure"`: a fabric of the papers by its name alone.

use crate::fabric::kind_of_fabric;
use closlab_fabric::figures::{self, Buffers};
use closlab_fabric::{Fabric, FabricError};
use closlab_units::Bytes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

kind_of_fabric! {
    /// The fabric of a figure or an experiment, with its failed and slower links.
    pub struct FigureFabric {
        /// Which one.
        ///
        /// Source: our choice: LetFlow's testbed, the smallest with a failed link.
        pub figure: PaperFigure = PaperFigure::LetflowFig1b,
    }
}

/// The fabrics of the papers' figures; `closlab_fabric::figures` says what each paper leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PaperFigure {
    /// Three leaves, L0-S1 failed (LetFlow Fig. 1a).
    LetflowFig1a,
    /// The testbed, one of two S1-L1 links failed (LetFlow Fig. 1b).
    LetflowFig1b,
    /// 6 x 6 with imbalanced striping (LetFlow Fig. 13).
    LetflowFig13,
    /// Three tiers with a failed link (LetFlow Fig. 15).
    LetflowFig15,
    /// Two destinations of varying asymmetry (LetFlow Fig. 17a).
    LetflowFig17,
    /// Four leaves, three spines, L0-S0 failed (DRILL Fig. 4).
    DrillFig4,
    /// Facebook's fabric, R0-F0 failed (DRILL Fig. 5).
    DrillFig5,
    /// VL2 (DRILL Fig. 10).
    DrillFig10,
    /// 16 x 16 with imbalanced striping (DRILL Fig. 13).
    DrillFig13,
    /// A small Clos with a failed link (Expeditus Fig. 6).
    ExpeditusFig6,
    /// 12-pod fat-tree, core oversubscribed 2:1 (Expeditus section 5.1).
    ExpeditusBaseline,
    /// 12-pod fat-tree without oversubscription (Expeditus section 5.5).
    ExpeditusFatTree,
    /// 96 pods, 73,728 hosts (Expeditus section 2.2).
    ExpeditusLargest,
}

impl PaperFigure {
    /// Whether all shortest paths of the figure's fabric are symmetric by construction.
    pub const fn is_regular(self) -> bool {
        matches!(
            self,
            PaperFigure::ExpeditusBaseline
                | PaperFigure::ExpeditusFatTree
                | PaperFigure::ExpeditusLargest
        )
    }
}

impl FigureFabric {
    /// Builds it.
    ///
    /// # Errors
    /// Buffers that no fabric can have.
    pub fn build(&self) -> Result<Fabric, FabricError> {
        let build = match self.figure {
            PaperFigure::LetflowFig1a => figures::letflow_fig1a,
            PaperFigure::LetflowFig1b => figures::letflow_fig1b,
            PaperFigure::LetflowFig13 => figures::letflow_fig13,
            PaperFigure::LetflowFig15 => figures::letflow_fig15,
            PaperFigure::LetflowFig17 => figures::letflow_fig17,
            PaperFigure::DrillFig4 => figures::drill_fig4,
            PaperFigure::DrillFig5 => figures::drill_fig5,
            PaperFigure::DrillFig10 => figures::drill_fig10,
            PaperFigure::DrillFig13 => figures::drill_fig13,
            PaperFigure::ExpeditusFig6 => figures::expeditus_fig6,
            PaperFigure::ExpeditusBaseline => figures::expeditus_baseline,
            PaperFigure::ExpeditusFatTree => figures::expeditus_fat_tree,
            PaperFigure::ExpeditusLargest => figures::expeditus_largest,
        };
        build(Buffers {
            switch: self.buffer,
            nic: self.nic_buffer,
        })
    }
}

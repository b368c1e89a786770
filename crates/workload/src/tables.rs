//! The published flow-size distributions, as points (size in bytes, cumulative probability).
//!
//! Copies of these curves in circulation disagree: the mean of "web search" goes from 1.49 MB to 2.56 MB, that
//! of "data mining" from 2.1 MB to 23 MB, depending on who digitised the figure, whether sizes are bytes or
//! packets, and whether points are joined by lines or by steps. Here stand the points of the copy that most
//! simulators share, joined by lines as its own sampler does. The numbers are facts read off published
//! figures, re-typed here with their source.

/// One published distribution.
pub(crate) struct Table {
    pub name: &'static str,
    pub citation: &'static str,
    /// (size in bytes, cumulative probability), joined by straight lines.
    pub points: &'static [(u64, f64)],
}

/// All built-in distributions, in the order in which they are listed to people.
pub(crate) const TABLES: [Table; 2] = [WEBSEARCH, DATAMINING];

const WEBSEARCH: Table = Table {
    name: "websearch",
    citation: "web search cluster: Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010, Fig. 4; \
               the points of HKUST-SING/TrafficGenerator conf/DCTCP_CDF.txt, linear",
    points: &[
        (0, 0.0),
        (10_000, 0.15),
        (20_000, 0.2),
        (30_000, 0.3),
        (50_000, 0.4),
        (80_000, 0.53),
        (200_000, 0.6),
        (1_000_000, 0.7),
        (2_000_000, 0.8),
        (5_000_000, 0.9),
        (10_000_000, 0.97),
        (30_000_000, 1.0),
    ],
};

const DATAMINING: Table = Table {
    name: "datamining",
    citation: "data mining cluster: Greenberg et al., VL2, SIGCOMM 2009, Fig. 2; \
               the points of HKUST-SING/TrafficGenerator conf/VL2_CDF.txt, linear, up to 1 GB",
    points: &[
        (0, 0.0),
        (180, 0.1),
        (216, 0.2),
        (560, 0.3),
        (900, 0.4),
        (1_100, 0.5),
        (1_870, 0.6),
        (3_160, 0.7),
        (10_000, 0.8),
        (400_000, 0.9),
        (3_160_000, 0.95),
        (100_000_000, 0.98),
        (1_000_000_000, 1.0),
    ],
};

//! The cases: scenarios as a user would write them.

/// One measurement.
pub struct Case {
    /// Its name in the output.
    pub name: &'static str,
    /// What is run.
    pub scenario: &'static str,
}

/// Long TCP flows as a permutation on 8 leaves x 4 spines x 16 hosts, every link 10 Gbps and 1 us: the case
/// on which other simulators were measured.
macro_rules! permutation {
    ($scheme:literal) => {
        Case {
            name: concat!("permutation-", $scheme),
            scenario: concat!(
                "scheme.name = \"",
                $scheme,
                "\"\n",
                "[fabric]\nleaves = 8\nspines = 4\nhosts_per_leaf = 16\n",
                "[workload]\nkind = \"permutation\"\nsize = \"4GB\"\nstagger = \"1ms\"\n",
                "[measure]\nwarmup = \"0ms\"\nwindow = \"100ms\"\nlimit = \"0ms\"\n",
            ),
        }
    };
}

/// Web search at load 0.8 on the same fabric with 40 Gbps uplinks (no oversubscription).
macro_rules! websearch {
    ($scheme:literal) => {
        Case {
            name: concat!("websearch-", $scheme),
            scenario: concat!(
                "scheme.name = \"",
                $scheme,
                "\"\n",
                "[fabric]\nleaves = 8\nspines = 4\nhosts_per_leaf = 16\nuplink_rate = \"40Gbps\"\n",
                "[workload]\nload = 0.8\n",
                "[measure]\nwarmup = \"0ms\"\nwindow = \"50ms\"\nlimit = \"0ms\"\n",
            ),
        }
    };
}

/// DRILL's 48 x 48 x 48 (section 3.2.3) at load 0.8.
macro_rules! large {
    ($scheme:literal) => {
        Case {
            name: concat!("48x48x48-", $scheme),
            scenario: concat!(
                "scheme.name = \"",
                $scheme,
                "\"\n",
                "[fabric]\nleaves = 48\nspines = 48\nhosts_per_leaf = 48\n",
                "[workload]\nload = 0.8\n",
                "[measure]\nwarmup = \"0ms\"\nwindow = \"4ms\"\nlimit = \"0ms\"\n",
            ),
        }
    };
}

/// The 12-pod fat-tree of Expeditus (section 5: 432 hosts, 36 cores) at load 0.8.
macro_rules! fat_tree {
    ($scheme:literal) => {
        Case {
            name: concat!("fat-tree-12-", $scheme),
            scenario: concat!(
                "scheme.name = \"",
                $scheme,
                "\"\n",
                "[fabric]\nkind = \"fat-tree\"\nk = 12\n",
                "[workload]\nload = 0.8\n",
                "[measure]\nwarmup = \"0ms\"\nwindow = \"20ms\"\nlimit = \"0ms\"\n",
            ),
        }
    };
}

/// All cases.
pub const CASES: &[Case] = &[
    permutation!("ecmp"),
    permutation!("random-packet"),
    permutation!("round-robin-packet"),
    permutation!("drill"),
    permutation!("letflow"),
    websearch!("ecmp"),
    websearch!("drill"),
    websearch!("letflow"),
    large!("ecmp"),
    large!("drill"),
    fat_tree!("ecmp"),
    fat_tree!("drill"),
];

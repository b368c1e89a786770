//! Tables of sizes written by users.

use crate::SizeDistribution;

#[test]
fn reads_columns_comments_and_a_first_point_mass() {
    let text = "# mine\n\n 100 0.5 # half are requests\n\t1100\t1.0\r\n";
    let sizes = SizeDistribution::from_text("mine", text).unwrap();
    assert_eq!(sizes.name(), "mine");
    assert_eq!((sizes.min(), sizes.max()), (100, 1_100));
    assert_eq!(sizes.cumulative(100), 0.5);
    assert_eq!(sizes.cumulative(600), 0.75);
    assert!((sizes.mean() - (0.5 * 100.0 + 0.5 * 600.5)).abs() < 1e-9);
}

/// The built-in tables, written out as text and read back, are the same distributions.
#[test]
fn a_built_in_table_survives_its_text() {
    for table in &crate::tables::TABLES {
        let lines = table.points.iter().map(|(size, p)| format!("{size} {p}\n"));
        let text: String = lines.collect();
        let read = SizeDistribution::from_text(table.name, &text).unwrap();
        let built_in = SizeDistribution::built_in(table.name).unwrap();
        for k in 0..=1_000 {
            let p = f64::from(k) / 1_000.0;
            assert_eq!(read.quantile(p), built_in.quantile(p));
        }
        assert_eq!(read.mean(), built_in.mean());
    }
}

#[test]
fn errors_name_the_line_its_text_and_the_remedy() {
    let cases = [
        (
            "0 0\n10 0.5 7\n20 1",
            "mine line 2 = \"10 0.5 7\"",
            "two columns",
        ),
        ("0 0\n10", "mine line 2 = \"10\"", "two columns"),
        ("0 0\n1.5 1", "mine line 2", "whole number of bytes"),
        ("0 0\n10KB 1", "mine line 2", "without a unit"),
        ("0 0\n9000000000000000 1", "mine line 2", "10^15"),
        ("0 0\n10 50\n20 100", "mine line 2", "divide percentages"),
        ("0 0\n10 NaN", "mine line 2", "from 0 to 1"),
        ("0 0\n10 -0.1", "mine line 2", "from 0 to 1"),
        ("0 0\n10 0.5\n5 1", "mine line 3", "must not fall"),
        (
            "# x\n0 0\n10 0.5\n20 0.4\n30 1",
            "mine line 4",
            "must not fall",
        ),
        ("0 0\n10 0.5\n10 0.5\n20 1", "mine line 3", "repeats"),
        ("0 0.2\n10 1", "mine line 1", "0 bytes"),
        ("0 0\n0 0.2\n10 1", "mine line 2", "0 bytes"),
        (
            "0 0\n10 0.9",
            "mine last cumulative probability = 0.9",
            "with probability 1",
        ),
        (
            "# nothing",
            "mine last cumulative probability = 0",
            "with probability 1",
        ),
    ];
    for (text, start, part) in cases {
        let error = SizeDistribution::from_text("mine", text)
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(start), "{text:?}: {error}");
        assert!(error.contains(part), "{text:?}: {error}");
    }
}

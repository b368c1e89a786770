//! Numbers that results depend on: whoever changes them changes every golden table.

use super::leaf_spine;
use closlab_units::LinkId;

#[test]
fn links_and_ports_of_the_leaf_spine_keep_their_numbers() {
    let fabric = leaf_spine(2, 2, 2, 2).build().unwrap();
    let described: Vec<String> = (0..fabric.links.len() as u32)
        .map(|id| {
            let link = fabric.link(LinkId(id));
            let name = fabric.link_name(LinkId(id));
            format!("{id} {name} {}>{}", link.from_port, link.to_port)
        })
        .collect();
    assert_eq!(described, GOLDEN.lines().collect::<Vec<_>>());
}

/// Link, its name, port at the sending end > port at the receiving end; as of the first golden results.
const GOLDEN: &str = "\
0 host0->leaf0 0>0
1 leaf0->host0 0>0
2 host1->leaf0 0>1
3 leaf0->host1 1>0
4 host2->leaf1 0>0
5 leaf1->host2 0>0
6 host3->leaf1 0>1
7 leaf1->host3 1>0
8 leaf0->spine0#0 2>0
9 spine0->leaf0#0 0>2
10 leaf0->spine0#1 3>1
11 spine0->leaf0#1 1>3
12 leaf0->spine1#0 4>0
13 spine1->leaf0#0 0>4
14 leaf0->spine1#1 5>1
15 spine1->leaf0#1 1>5
16 leaf1->spine0#0 2>2
17 spine0->leaf1#0 2>2
18 leaf1->spine0#1 3>3
19 spine0->leaf1#1 3>3
20 leaf1->spine1#0 4>2
21 spine1->leaf1#0 2>4
22 leaf1->spine1#1 5>3
23 spine1->leaf1#1 3>5";

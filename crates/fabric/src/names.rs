//! Finding nodes and cables by the names that people write.

use crate::error::FabricError;
use crate::fabric::{Endpoint, Fabric};
use closlab_units::{HostId, LinkId, NodeId};

impl Fabric {
    /// The switch of this name, or an error that names the nearest one.
    pub fn switch_named(&self, name: &str) -> Result<NodeId, FabricError> {
        let found = self.switches.iter().position(|s| s.name == name);
        found.and_then(NodeId::from_index).ok_or_else(|| {
            FabricError::new(
                "switch",
                name,
                "the fabric has no such switch",
                nearest(name, self.switches.iter().map(|s| s.name.clone())),
            )
        })
    }

    /// The cables of this name, each as its link from the end named first: `leaf0-spine1` are all parallel
    /// cables between the two, `leaf0-spine1#1` is the second of them, `host3-leaf0` is a host's. Either end may
    /// be named first.
    ///
    /// # Errors
    /// A name that no cable has; the nearest one that exists is named.
    pub fn cables_named(&self, name: &str) -> Result<Vec<LinkId>, FabricError> {
        let (ends, index) = match name.split_once('#') {
            Some((ends, index)) => (ends, Some(index)),
            None => (name, None),
        };
        let mut found = ends
            .split_once('-')
            .and_then(|(a, b)| self.endpoint_named(a).zip(self.endpoint_named(b)))
            .map_or(Vec::new(), |(a, b)| self.links_between(a, b));
        if let Some(index) = index {
            let chosen = index
                .parse()
                .ok()
                .and_then(|i: usize| found.get(i).copied());
            found = chosen.into_iter().collect();
        }
        if found.is_empty() {
            let known = self.cables().map(|link| self.cable_name(link));
            return Err(FabricError::new(
                "link",
                name,
                "the fabric has no such link",
                nearest(name, known),
            ));
        }
        Ok(found)
    }

    /// Every cable once, as its link with the lower identifier.
    pub fn cables(&self) -> impl Iterator<Item = LinkId> + '_ {
        let links = (0..self.links.len()).filter_map(LinkId::from_index);
        links.filter(|&link| link < self.reverse(link))
    }

    /// `leaf0-spine1`, and `leaf0-spine1#2` for the third of several parallel cables: the name under which
    /// [`Fabric::cables_named`] finds the cable of this link, the same for both directions.
    pub fn cable_name(&self, link: LinkId) -> String {
        self.link_name(link.min(self.reverse(link)))
            .replacen("->", "-", 1)
    }

    /// Marks both directions of a cable as working or failed.
    pub fn set_cable_up(&mut self, link: LinkId, up: bool) {
        for id in [link, self.reverse(link)] {
            self.links[id.index()].up = up;
        }
    }

    fn endpoint_named(&self, name: &str) -> Option<Endpoint> {
        let switch = self.switches.iter().position(|s| s.name == name);
        if let Some(switch) = switch {
            return NodeId::from_index(switch).map(Endpoint::Switch);
        }
        let host = self.hosts.iter().position(|h| h.name == name)?;
        HostId::from_index(host).map(Endpoint::Host)
    }

    /// The links from `a` to `b`, by parallel cable.
    fn links_between(&self, a: Endpoint, b: Endpoint) -> Vec<LinkId> {
        let egress = match a {
            Endpoint::Host(host) => std::slice::from_ref(&self.host(host).uplink),
            Endpoint::Switch(node) => &self.switch(node).ports,
        };
        let leads_to_b = |link: &LinkId| self.link(*link).to == b;
        egress.iter().copied().filter(leads_to_b).collect()
    }
}

/// What to write instead of `wrong`: the known name with the smallest edit distance, the first of several.
pub(crate) fn nearest(wrong: &str, known: impl Iterator<Item = String>) -> String {
    known
        .min_by_key(|name| edit_distance(wrong, name))
        .map_or("there is none".to_owned(), |name| {
            format!("the nearest name is {name:?}")
        })
}

/// Levenshtein's distance in bytes; names are ASCII, and for others it is still a distance.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, right) in b.bytes().enumerate() {
            let substituted = diagonal + usize::from(left != right);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

//! From `[failures]` and `[control_plane]` to the plan of a run.

use crate::convert::refused;
use crate::{Change, ControlPlane, Grey, Scenario, ScenarioError, Unreachable};
use closlab_fabric::{
    Convergence, Fabric, FabricError, FailurePlan, GreyChange, LinkChange, Routes,
};
use closlab_units::{HostId, LinkId, Time};
use std::collections::BTreeSet;

impl Scenario {
    /// The end of the run at the latest.
    pub fn end(&self) -> Time {
        self.measure.warmup + self.measure.window + self.measure.limit
    }

    /// What fails during the run on `fabric`, in order of time, and how routing answers.
    ///
    /// # Errors
    /// A link or switch that `fabric` does not have (the nearest is named), a time after the end.
    pub fn failure_plan(&self, fabric: &Fabric) -> Result<FailurePlan, ScenarioError> {
        let mut changes = Vec::new();
        for (i, change) in self.failures.changes.iter().enumerate() {
            let path = format!("failures.changes[{i}]");
            self.check_time(&path, change.at)?;
            changes.push(link_change(fabric, &path, change)?);
        }
        let mut greys = Vec::new();
        for (i, grey) in self.failures.grey.iter().enumerate() {
            let path = format!("failures.grey[{i}]");
            self.check_time(&path, grey.at)?;
            greys.extend(grey_changes(fabric, &path, grey)?);
        }
        // Both sorts are stable: of one instant the order of the scenario is kept.
        changes.sort_by_key(|change: &LinkChange| change.at);
        greys.sort_by_key(|grey: &GreyChange| grey.at);
        Ok(FailurePlan {
            changes,
            greys,
            convergence: Convergence::from(&self.control_plane),
            local_repair: self.failures.local_repair,
        })
    }

    /// The routes of `fabric` as the run begins.
    ///
    /// # Errors
    /// Leaves that can't reach each other or hosts without a working cable, unless
    /// `control_plane.unreachable = "report"`; a fabric beyond the limits of routing.
    pub fn routes(&self, fabric: &Fabric) -> Result<Routes, ScenarioError> {
        let path = if self.asymmetry.has_failures() {
            "asymmetry"
        } else {
            "fabric"
        };
        let remedy = "or set control_plane.unreachable = \"report\"";
        let told = |error: FabricError| {
            let remedy = format!("keep a working path between every two leaves, {remedy}");
            ScenarioError::new(path, format!("{}: {}; {remedy}", error.value, error.why))
        };
        if self.control_plane.unreachable() == Unreachable::Report {
            return Routes::compute_partial(fabric).map_err(|error| refused(path, error));
        }
        let mut hosts = (0..fabric.hosts.len()).filter_map(HostId::from_index);
        if let Some(host) = hosts.find(|&host| !fabric.host_is_up(host)) {
            let name = &fabric.host(host).name;
            let message = format!("{name}: its cable has failed; keep it working, {remedy}");
            return Err(ScenarioError::new(path, message));
        }
        Routes::compute(fabric).map_err(told)
    }

    fn check_time(&self, path: &str, at: Time) -> Result<(), ScenarioError> {
        let end = self.end();
        if at < end {
            return Ok(());
        }
        Err(ScenarioError::new(
            format!("{path}.at"),
            format!(
                "{at} is not before the run's end at {end} (measure.warmup, window and limit); write less"
            ),
        ))
    }
}

fn link_change(fabric: &Fabric, path: &str, change: &Change) -> Result<LinkChange, ScenarioError> {
    if change.links.is_empty() && change.switches.is_empty() {
        let message = "neither links nor switches change; write one, as links = [\"leaf0-spine1\"]";
        return Err(ScenarioError::new(path, message));
    }
    let mut links = BTreeSet::new();
    for (i, name) in change.links.iter().enumerate() {
        let cables = fabric.cables_named(name);
        let cables = cables.map_err(|error| named(format!("{path}.links[{i}]"), error))?;
        links.extend(
            cables
                .into_iter()
                .flat_map(|link| [link, fabric.reverse(link)]),
        );
    }
    for (i, name) in change.switches.iter().enumerate() {
        let node = fabric.switch_named(name);
        let node = node.map_err(|error| named(format!("{path}.switches[{i}]"), error))?;
        let switch = fabric.switch(node);
        links.extend(switch.ports.iter().chain(&switch.ingress).copied());
    }
    Ok(LinkChange {
        at: change.at,
        links: links.into_iter().collect(),
        up: change.up,
    })
}

fn grey_changes(
    fabric: &Fabric,
    path: &str,
    grey: &Grey,
) -> Result<Vec<GreyChange>, ScenarioError> {
    let one_way = grey.link.contains("->");
    let cables = fabric.cables_named(&grey.link.replacen("->", "-", 1));
    let cables = cables.map_err(|error| {
        let value = grey.link.clone();
        named(format!("{path}.link"), FabricError { value, ..error })
    })?;
    let directions = |link: LinkId| {
        let back = (!one_way).then(|| fabric.reverse(link));
        [Some(link), back].into_iter().flatten()
    };
    let change = |link| GreyChange {
        at: grey.at,
        link,
        loss: grey.loss,
        black_hole: grey.black_hole,
    };
    Ok(cables
        .into_iter()
        .flat_map(directions)
        .map(change)
        .collect())
}

/// The error about a name, at its path.
fn named(path: String, error: FabricError) -> ScenarioError {
    let message = format!("{}: {}; {}", error.value, error.why, error.remedy);
    ScenarioError::new(path, message)
}

impl From<&ControlPlane> for Convergence {
    fn from(control: &ControlPlane) -> Convergence {
        match control {
            ControlPlane::Ideal(_) => Convergence::IDEAL,
            ControlPlane::Ospf(ospf) => Convergence {
                detection: ospf.detection,
                flooding_per_hop: ospf.flooding_per_hop,
                spf: ospf.spf,
                table_update: ospf.table_update,
            },
        }
    }
}

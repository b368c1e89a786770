//! How the fabric fits together with itself and with what runs on it.

use crate::validate::{Checked, error};
use crate::{
    Fabric, FileFabric, LeafSpineFabric, MAX_FLOWS, MAX_LINKS, MAX_ROUTES, MAX_TIME, Pairs,
    Scenario, Striping, Transport, WIRE_OVERHEAD, Workload,
};
use closlab_fabric::{Endpoint, Role};
use closlab_units::{Bytes, Rate, TorId};

/// Checks what can be told before the fabric is built.
pub(crate) fn check_plan(fabric: &Fabric, transport: &Transport) -> Checked {
    check_size(fabric)?;
    if let Fabric::LeafSpine(section) = fabric {
        check_striping(section)?;
    }
    check_packets(fabric, transport)?;
    check_ecn(fabric, transport)
}

/// Checks what runs on the built fabric.
pub(crate) fn check_built(scenario: &Scenario, built: &closlab_fabric::Fabric) -> Checked {
    check_links(scenario, built)?;
    check_engines(scenario.switch.engines, built)?;
    check_drain(built)?;
    check_hosts(scenario, built)?;
    if scenario.asymmetry.has_failures() || matches!(scenario.fabric, Fabric::File(_)) {
        scenario.routes(built)?;
    }
    scenario.failure_plan(built).map(|_| ())
}

fn check_size(fabric: &Fabric) -> Checked {
    let size = fabric.size();
    let links = size.links;
    if links > MAX_LINKS.into() {
        let what = match fabric {
            Fabric::LeafSpine(f) => format!(
                "{} leaves of {} hosts and {} x {} uplinks have {links} directed links",
                f.leaves, f.hosts_per_leaf, f.spines, f.links_per_pair
            ),
            _ => format!("it would have {links} directed links"),
        };
        return error(
            "fabric",
            format!("{what}, and {MAX_LINKS} is the most; write fewer"),
        );
    }
    let leaves = size.leaves;
    let routes = leaves * size.switches;
    if routes > MAX_ROUTES.into() {
        let path = match fabric {
            Fabric::LeafSpine(_) => "fabric.leaves",
            _ => "fabric",
        };
        let message = format!(
            "{leaves} need {routes} routing entries, and {MAX_ROUTES} is the most; write fewer"
        );
        let leaves = if path == "fabric" { "leaves: " } else { "" };
        return error(path, format!("{leaves}{message}"));
    }
    Ok(())
}

fn check_striping(fabric: &LeafSpineFabric) -> Checked {
    match (fabric.striping, fabric.pods) {
        (Striping::Pods, None) => error(
            "fabric.pods",
            "missing, since striping = \"pods\" needs it; write such as pods = 2".to_owned(),
        ),
        (Striping::Even | Striping::NextSpine, Some(pods)) => error(
            "fabric.pods",
            format!(
                "{pods} has no effect with this striping; remove it, or set striping = \"pods\""
            ),
        ),
        _ => Ok(()),
    }
}

fn check_packets(fabric: &Fabric, transport: &Transport) -> Checked {
    check_packet("fabric.buffer", fabric.buffer(), transport)?;
    check_packet("fabric.nic_buffer", fabric.nic_buffer(), transport)?;
    let Fabric::File(FileFabric { hosts, cables, .. }) = fabric else {
        return Ok(());
    };
    for (i, cable) in cables.iter().enumerate() {
        if let Some(buffer) = cable.buffer {
            check_packet(&format!("fabric.cables[{i}].buffer"), buffer, transport)?;
        }
    }
    for (i, host) in hosts.iter().enumerate() {
        if let Some(buffer) = host.nic_buffer {
            check_packet(&format!("fabric.hosts[{i}].nic_buffer"), buffer, transport)?;
        }
    }
    Ok(())
}

fn check_packet(path: &str, buffer: Bytes, transport: &Transport) -> Checked {
    let packet = u64::from(transport.mss) + u64::from(WIRE_OVERHEAD);
    if buffer.get() >= packet {
        return Ok(());
    }
    error(
        path,
        format!(
            "{buffer} does not hold one full packet; write at least {packet}B (transport.mss and {WIRE_OVERHEAD} B \
             of headers and framing)"
        ),
    )
}

fn check_ecn(fabric: &Fabric, transport: &Transport) -> Checked {
    let of_cables = match fabric {
        Fabric::File(file) => file.cables.iter().filter_map(|cable| cable.buffer).max(),
        _ => None,
    };
    let most = of_cables.map_or(fabric.buffer(), |buffer| buffer.max(fabric.buffer()));
    match (fabric.ecn_threshold(), transport.ecn) {
        (Some(threshold), false) => error(
            "fabric.ecn_threshold",
            format!(
                "{threshold} would never mark anything, since flows are not ECN-capable; set transport.ecn = true \
                 or remove it"
            ),
        ),
        (None, true) => error(
            "transport.ecn",
            "true has no effect, since no switch marks packets; set fabric.ecn_threshold, such as \"97.5KB\", or \
             set it to false"
                .to_owned(),
        ),
        (Some(threshold), true) if threshold >= most => error(
            "fabric.ecn_threshold",
            format!(
                "{threshold} would never mark anything, since a queue holds {most} at most; write less than \
                 fabric.buffer"
            ),
        ),
        _ => Ok(()),
    }
}

fn check_links(scenario: &Scenario, built: &closlab_fabric::Fabric) -> Checked {
    let links = built.links.len() as u64;
    if links <= MAX_LINKS || scenario.asymmetry.extra_cables.is_empty() {
        return Ok(());
    }
    error(
        "asymmetry.extra_cables",
        format!(
            "with them there are {links} directed links, and {MAX_LINKS} is the most; write fewer"
        ),
    )
}

fn check_engines(engines: u16, built: &closlab_fabric::Fabric) -> Checked {
    for role in Role::ALL {
        let switches = built.switches.iter().filter(|switch| switch.role == role);
        let Some(ports) = switches.map(|switch| switch.ports.len()).min() else {
            continue;
        };
        if usize::from(engines) > ports {
            let of = match role {
                Role::Leaf => "a leaf",
                Role::Aggregation => "an aggregation switch",
                Role::Spine => "a spine",
                Role::Core => "a core",
            };
            let remedy = format!("write 1 to {}", ports.max(1));
            return error(
                "switch.engines",
                format!("{engines} are more than the {ports} ports of {of}; {remedy}"),
            );
        }
    }
    Ok(())
}

/// No full queue may take longer to drain than a run may last.
fn check_drain(built: &closlab_fabric::Fabric) -> Checked {
    for (path, of_switches) in [("fabric.buffer", true), ("fabric.nic_buffer", false)] {
        let links = built.links.iter();
        let links = links.filter(|link| matches!(link.from, Endpoint::Switch(_)) == of_switches);
        let drain = |buffer: Bytes, rate: Rate| {
            u128::from(buffer.get()) * 8_000_000_000_000 / u128::from(rate.bps().max(1))
        };
        let Some(slowest) = links.max_by_key(|link| drain(link.buffer, link.rate)) else {
            continue;
        };
        let (buffer, rate) = (slowest.buffer, slowest.rate);
        if drain(buffer, rate) > u128::from(MAX_TIME.ps()) {
            return error(
                path,
                format!("{buffer} take longer than {MAX_TIME} to send at {rate}; write less"),
            );
        }
    }
    Ok(())
}

fn check_hosts(scenario: &Scenario, built: &closlab_fabric::Fabric) -> Checked {
    if built.hosts.len() < 2 {
        let (path, remedy) = match scenario.fabric {
            Fabric::LeafSpine(_) => ("fabric.hosts_per_leaf", "write at least 2, or more leaves"),
            _ => ("fabric", "write more hosts"),
        };
        return error(
            path,
            format!(
                "{}: the fabric's only host would have nobody to send to; {remedy}",
                built.hosts.len()
            ),
        );
    }
    match &scenario.workload {
        Workload::Poisson(poisson) if poisson.pairs == Pairs::OtherLeaf => {
            check_leaves("workload.pairs", "\"other-leaf\"", &scenario.fabric, built)
        }
        Workload::Poisson(_) => Ok(()),
        Workload::Permutation(permutation) => {
            check_leaves("workload.kind", "\"permutation\"", &scenario.fabric, built)?;
            check_count(permutation.flows_per_host, built.hosts.len() as u64)
        }
    }
}

fn check_leaves(
    path: &str,
    value: &str,
    fabric: &Fabric,
    built: &closlab_fabric::Fabric,
) -> Checked {
    let tors = (0..built.tors.len()).filter_map(TorId::from_index);
    let leaves = tors
        .filter(|&tor| built.hosts_of(tor).next().is_some())
        .count();
    if leaves >= 2 {
        return Ok(());
    }
    let has = match fabric {
        Fabric::LeafSpine(_) => format!("fabric.leaves is {leaves}"),
        _ => format!("the fabric has {leaves}"),
    };
    error(
        path,
        format!(
            "{value} needs hosts under at least 2 leaves, and {has}; write more leaves, or pairs = \"any\" of kind = \
             \"poisson\""
        ),
    )
}

fn check_count(flows_per_host: u16, hosts: u64) -> Checked {
    let flows = hosts * u64::from(flows_per_host);
    if flows > MAX_FLOWS {
        return error(
            "workload.flows_per_host",
            format!(
                "{flows_per_host} make {flows} flows of {hosts} hosts, and {MAX_FLOWS} is the most; write fewer"
            ),
        );
    }
    Ok(())
}

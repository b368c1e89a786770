//! What happens to the fabric during a run, and when each switch's forwarding table follows.

use crate::forwarding::Tables;
use crate::network::Network;
use closlab_balance::Balancer;
use closlab_fabric::{Endpoint, Fabric, FabricError, FailurePlan, GreyChange, LinkChange, learn};
use closlab_record::{EventRow, Events};
use closlab_units::{LinkId, NodeId, PortId, Time};
use std::collections::{BTreeMap, BTreeSet};

/// One thing that happens.
#[derive(Debug, Clone)]
enum Action {
    Change(usize),
    Grey(usize),
    Table {
        switch: NodeId,
        tables: Tables,
        down: Vec<PortId>,
    },
}

/// All that happens, in order.
#[derive(Debug)]
pub(crate) struct Schedule {
    plan: FailurePlan,
    actions: Vec<(Time, Action)>,
    done: usize,
    events: Events,
}

impl Schedule {
    /// Works out the whole schedule of `plan` on `fabric`, whose switches begin with `tables`.
    ///
    /// # Errors
    /// A state of the fabric that can't be routed at all (see [`Routes::compute_partial`]).
    pub(crate) fn new(
        fabric: &Fabric,
        tables: &Tables,
        plan: FailurePlan,
    ) -> Result<Schedule, FabricError> {
        let mut planner = Planner::new(fabric, tables, &plan);
        planner.plan_tables()?;
        let (mut actions, events) = (planner.actions, planner.events);
        let change = |(index, change): (usize, &LinkChange)| (change.at, Action::Change(index));
        let grey = |(index, grey): (usize, &GreyChange)| (grey.at, Action::Grey(index));
        actions.extend(plan.changes.iter().enumerate().map(change));
        actions.extend(plan.greys.iter().enumerate().map(grey));
        // Of one instant the links come before the tables; the sort is stable.
        actions.sort_by_key(|(at, action)| (*at, matches!(action, Action::Table { .. })));
        Ok(Schedule {
            plan,
            actions,
            done: 0,
            events,
        })
    }

    /// When the next thing happens.
    pub(crate) fn next(&self) -> Time {
        self.actions.get(self.done).map_or(Time::MAX, |(at, _)| *at)
    }

    /// Does what is due now.
    pub(crate) fn apply<B: Balancer>(&mut self, net: &mut Network<B>) {
        while let Some((at, action)) = self.actions.get(self.done)
            && *at <= net.now()
        {
            match action {
                Action::Change(index) => {
                    let change = &self.plan.changes[*index];
                    change
                        .links
                        .iter()
                        .for_each(|&link| net.set_up(link, change.up));
                }
                Action::Grey(index) => {
                    let grey = &self.plan.greys[*index];
                    net.set_grey(grey.link, grey.loss, grey.black_hole);
                }
                Action::Table {
                    switch,
                    tables,
                    down,
                } => net.set_tables(*switch, tables, down),
            }
            self.done += 1;
        }
    }

    /// What was to happen until `end`, by time.
    pub(crate) fn into_events(self, end: Time) -> Events {
        let mut rows: Vec<EventRow> = self.events.into_rows();
        rows.retain(|row| row.time_ps <= end.ps());
        rows.sort_by_key(|row| row.time_ps);
        let mut events = Events::default();
        rows.into_iter().for_each(|row| events.push(row));
        events
    }
}

/// Follows what each switch knows.
struct Planner<'a> {
    fabric: &'a Fabric,
    plan: &'a FailurePlan,
    /// For each switch the changes that its table takes into account.
    known: Vec<BTreeSet<usize>>,
    /// Tables by the changes that they take into account.
    tables: BTreeMap<BTreeSet<usize>, Tables>,
    /// Whether the scheme uses symmetric components.
    splits: bool,
    up: Vec<bool>,
    actions: Vec<(Time, Action)>,
    events: Events,
}

impl<'a> Planner<'a> {
    fn new(fabric: &'a Fabric, tables: &Tables, plan: &'a FailurePlan) -> Planner<'a> {
        Planner {
            fabric,
            plan,
            known: vec![BTreeSet::new(); fabric.switches.len()],
            tables: BTreeMap::from([(BTreeSet::new(), tables.clone())]),
            splits: tables.quiver.is_some(),
            up: fabric.links.iter().map(|link| link.up).collect(),
            actions: Vec::new(),
            events: Events::default(),
        }
    }

    fn plan_tables(&mut self) -> Result<(), FabricError> {
        for grey in &self.plan.greys {
            let kind = if grey.loss == 0.0 && grey.black_hole == 0.0 {
                "healed"
            } else {
                "grey"
            };
            self.note(grey.at, kind, self.fabric.link_name(grey.link), 0);
        }
        let learned = learn(self.fabric, &self.plan.changes, &self.plan.convergence);
        let mut learned = learned.into_iter().peekable();
        let mut changes = self.plan.changes.iter().enumerate().peekable();
        loop {
            let next_change = changes.peek().map_or(Time::MAX, |(_, change)| change.at);
            let next_learned = learned.peek().map_or(Time::MAX, |learned| learned.at);
            if next_change <= next_learned {
                let Some((index, change)) = changes.next() else {
                    return Ok(());
                };
                self.change(index, change)?;
            } else if let Some(learned) = learned.next() {
                self.known[learned.switch.index()].insert(learned.change);
                self.rewrite(learned.at, learned.switch)?;
                let name = self.fabric.switch(learned.switch).name.clone();
                self.note(learned.at, "learned", name, learned.change);
            }
        }
    }

    fn change(&mut self, index: usize, change: &LinkChange) -> Result<(), FabricError> {
        let kind = if change.up { "up" } else { "down" };
        let mut ends = BTreeSet::new();
        for &link in &change.links {
            self.up[link.index()] = change.up;
            self.note(change.at, kind, self.fabric.link_name(link), index);
            if let Endpoint::Switch(node) = self.fabric.link(link).from {
                ends.insert(node);
            }
        }
        if self.plan.local_repair {
            for node in ends {
                self.rewrite(change.at, node)?;
                self.note(
                    change.at,
                    "repaired",
                    self.fabric.switch(node).name.clone(),
                    index,
                );
            }
        }
        Ok(())
    }

    fn note(&mut self, at: Time, kind: &str, name: String, change: usize) {
        let event = kind.to_owned();
        self.events.push(EventRow {
            time_ps: at.ps(),
            event,
            name,
            change: change as u32,
        });
    }

    /// `switch` gets the table that follows from what it knows, and from the state of its own ports.
    fn rewrite(&mut self, at: Time, switch: NodeId) -> Result<(), FabricError> {
        let known = self.known[switch.index()].clone();
        let tables = match self.tables.get(&known) {
            Some(tables) => tables.clone(),
            None => {
                let tables = Tables::compute(&self.fabric_with(&known), self.splits)?;
                self.tables.insert(known, tables.clone());
                tables
            }
        };
        let ports = &self.fabric.switch(switch).ports;
        let dead = |&(_, link): &(usize, &LinkId)| self.plan.local_repair && !self.up[link.index()];
        let down = ports
            .iter()
            .enumerate()
            .filter(dead)
            .map(|(port, _)| PortId(port as u16));
        let down = down.collect();
        self.actions.push((
            at,
            Action::Table {
                switch,
                tables,
                down,
            },
        ));
        Ok(())
    }

    /// The fabric after the changes `known`.
    fn fabric_with(&self, known: &BTreeSet<usize>) -> Fabric {
        let mut fabric = self.fabric.clone();
        for change in known.iter().map(|&index| &self.plan.changes[index]) {
            for link in &change.links {
                fabric.links[link.index()].up = change.up;
            }
        }
        fabric
    }
}

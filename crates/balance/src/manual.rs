//! The manual page that every scheme carries, in one form.

/// The unit of a scheme's parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamUnit {
    /// A plain count.
    Count,
    /// A span of time; its value is in picoseconds.
    Time,
}

/// One parameter of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name in a scenario.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its unit.
    pub unit: ParamUnit,
    /// Its default, in the unit's integer form.
    pub default: u64,
    /// Where the default comes from.
    pub source: &'static str,
    /// The smallest value that makes sense.
    pub min: u64,
    /// The largest value that makes sense.
    pub max: u64,
}

/// The sizes that a scheme's state depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateSize {
    /// Ports of the switch.
    pub ports: u64,
    /// Forwarding engines of the switch.
    pub engines: u64,
    /// Path groups of the switch that have a choice.
    pub groups: u64,
}

impl StateSize {
    /// Bits to name one port.
    pub const fn port_bits(&self) -> u64 {
        (u64::BITS - self.ports.saturating_sub(1).leading_zeros()) as u64
    }
}

/// A scheme's manual page.
#[derive(Debug, Clone, Copy)]
pub struct Manual {
    /// Its name in a scenario.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// How it works and which choices were made where its source is silent.
    pub description: &'static str,
    /// Where it was published.
    pub published: &'static str,
    /// Its parameters, in the order in which [`crate::Balancer::new`] takes their values.
    pub params: &'static [Param],
    /// What state it keeps, in words.
    pub state: &'static str,
    /// How many bits of state a switch needs for it, given the parameters' values.
    pub state_bits: fn(values: &[u64], size: StateSize) -> u64,
}

impl Manual {
    /// The parameters' defaults, in order.
    pub fn defaults(&self) -> Vec<u64> {
        self.params.iter().map(|param| param.default).collect()
    }
}

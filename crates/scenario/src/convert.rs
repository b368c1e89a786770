//! From the description to the parts that a run is made of.

use crate::{
    Dupthresh, FlowSizes, LoadReference, Pairs, Scenario, ScenarioError, Transport, Workload,
};
use closlab_fabric::FabricError;
use closlab_transport::TcpConfig;
use closlab_units::{Bytes, Time};
use closlab_workload::{Flow, Generator, LongFlows, Offered, SizeDistribution, WorkloadError};

impl Scenario {
    /// Builds the fabric, with its asymmetry.
    ///
    /// # Errors
    /// A fabric that can't be; never for a scenario that has been validated.
    pub fn build_fabric(&self) -> Result<closlab_fabric::Fabric, ScenarioError> {
        let built = self
            .fabric
            .build()
            .map_err(|error| refused("fabric", error))?;
        if self.asymmetry.is_none() {
            return Ok(built);
        }
        self.asymmetry
            .to_fabric(self.seed)
            .apply(built)
            .map_err(|error| match error.field.as_str() {
                "buffer" => refused("fabric", error),
                _ => refused("asymmetry", error),
            })
    }

    /// The parameters of every flow's two end points.
    pub fn tcp_config(&self) -> TcpConfig {
        TcpConfig::from(&self.transport)
    }

    /// Above how many bytes in its queue a switch marks packets; `None`: never.
    pub fn ecn_threshold(&self) -> Option<u64> {
        self.fabric.ecn_threshold().map(Bytes::get)
    }

    /// The distribution of flow sizes.
    ///
    /// # Errors
    /// A size that no flow can have; never for a scenario that has been validated.
    pub fn flow_sizes(&self) -> Result<SizeDistribution, ScenarioError> {
        let sizes = match &self.workload {
            Workload::Permutation(permutation) => SizeDistribution::fixed(permutation.size.get()),
            Workload::Poisson(poisson) => match poisson.sizes {
                FlowSizes::WebSearch => SizeDistribution::built_in("websearch"),
                FlowSizes::DataMining => SizeDistribution::built_in("datamining"),
                FlowSizes::Fixed => SizeDistribution::fixed(poisson.size.map_or(0, Bytes::get)),
            },
        };
        sizes.map_err(workload_error)
    }

    /// The load that a Poisson workload offers to `fabric`; `None` for a workload without a load.
    ///
    /// # Errors
    /// A load that the fabric could never carry; never for a scenario that has been validated.
    pub fn offered(
        &self,
        fabric: &closlab_fabric::Fabric,
    ) -> Result<Option<Offered>, ScenarioError> {
        let Workload::Poisson(poisson) = &self.workload else {
            return Ok(None);
        };
        Offered::resolve(
            fabric,
            &self.flow_sizes()?,
            poisson.pairs.into(),
            poisson.load,
            poisson.load_reference.into(),
        )
        .map(Some)
        .map_err(workload_error)
    }

    /// The flows of the run on `fabric`, in order of start. Those of a permutation start after the warm-up.
    ///
    /// # Errors
    /// A workload that the fabric can't have; never for a scenario that has been validated.
    pub fn generator(&self, fabric: &closlab_fabric::Fabric) -> Result<Generator, ScenarioError> {
        let generator = match (&self.workload, self.offered(fabric)?) {
            (Workload::Poisson(poisson), Some(offered)) => Generator::poisson(
                fabric,
                self.flow_sizes()?,
                poisson.pairs.into(),
                &offered,
                self.seed,
            ),
            (Workload::Poisson(_), None) => {
                return Err(ScenarioError::new("workload.load", "no load is offered"));
            }
            (Workload::Permutation(permutation), _) => {
                let long = LongFlows {
                    flows_per_host: u32::from(permutation.flows_per_host),
                    size: permutation.size.get(),
                    stagger: permutation.stagger,
                };
                let pairs = closlab_workload::Pairs::Permutation;
                Generator::long_flows(fabric, &long, pairs, self.seed)
                    .map(|flows| delayed(flows, self.measure.warmup))
            }
        };
        generator.map_err(workload_error)
    }
}

/// The finitely many `flows`, each starting later by `delay`.
fn delayed(flows: Generator, delay: Time) -> Generator {
    match flows {
        Generator::Poisson(_) => flows,
        Generator::Long(flows) => {
            let later = flows.map(|flow| Flow {
                start: flow.start + delay,
                ..flow
            });
            Generator::Long(later.collect::<Vec<Flow>>().into_iter())
        }
    }
}

/// The fabric crate's error under the section `section`.
pub(crate) fn refused(section: &str, error: FabricError) -> ScenarioError {
    let message = format!("{}: {}; {}", error.value, error.why, error.remedy);
    ScenarioError::new(format!("{section}.{}", error.field), message)
}

/// The workload's error under the scenario's path.
fn workload_error(error: WorkloadError) -> ScenarioError {
    let message = format!("{}: {}; {}", error.value, error.why, error.remedy);
    ScenarioError::new(format!("workload.{}", error.field), message)
}

impl From<&Transport> for TcpConfig {
    fn from(transport: &Transport) -> TcpConfig {
        let initial = u32::from(transport.dupthresh_segments);
        let largest = transport.largest_dupthresh().into();
        TcpConfig {
            mss: transport.mss,
            initial_window: transport.initial_window.into(),
            receive_window: transport.receive_window.get(),
            rto_initial: transport.rto_initial,
            rto_min: transport.rto_min,
            rto_max: transport.rto_max,
            delayed_ack_segments: transport.delayed_ack_segments.into(),
            delayed_ack_timeout: transport.delayed_ack_timeout,
            dupthresh: match transport.dupthresh {
                Dupthresh::Fixed => closlab_transport::Dupthresh::Fixed(initial),
                Dupthresh::Adaptive => closlab_transport::Dupthresh::Adaptive {
                    initial,
                    max: largest,
                },
            },
            handshake: transport.handshake,
            ecn: transport.ecn,
            reorder_timeout: transport.reorder_timeout,
        }
    }
}

impl From<Pairs> for closlab_workload::Pairs {
    fn from(pairs: Pairs) -> closlab_workload::Pairs {
        match pairs {
            Pairs::OtherLeaf => closlab_workload::Pairs::OtherLeaf,
            Pairs::Any => closlab_workload::Pairs::Any,
        }
    }
}

impl From<LoadReference> for closlab_workload::LoadReference {
    fn from(reference: LoadReference) -> closlab_workload::LoadReference {
        match reference {
            LoadReference::Uplinks => closlab_workload::LoadReference::Uplinks,
            LoadReference::Hosts => closlab_workload::LoadReference::Hosts,
        }
    }
}

//! What a run writes: plain columns, one table for each kind of thing.
//!
//! Metrics read these tables and nothing else, so that simulated, replayed and real runs are measured by the
//! same functions. Each field states its unit and its invariant.

mod table;

pub use table::Column;
use table::table;

table! {
    /// One row for each flow that started, in order of start.
    Flows of FlowRow {
        /// The flow's number; equal numbers are equal flows in all runs of one workload and seed.
        flow: u32,
        /// Sending host.
        src: u32,
        /// Receiving host; not `src`.
        dst: u32,
        /// The sender's leaf.
        src_leaf: u16,
        /// The receiver's leaf.
        dst_leaf: u16,
        /// Payload bytes, at least 1.
        size_bytes: u64,
        /// When the application asked for the flow.
        start_ps: u64,
        /// 1 if it started in the measuring window, else 0.
        measured: u8,
        /// From start to the receiver's last byte; 0 if that had not happened when the run ended.
        receiver_fct_ps: u64,
        /// From start to the sender's last acknowledgment; 0 if that had not happened when the run ended.
        sender_fct_ps: u64,
        /// Bytes handed to the receiving application in order; equals `size_bytes` if `receiver_fct_ps` > 0.
        delivered_bytes: u64,
        /// Data segments sent, retransmissions included.
        segments_sent: u32,
        /// Data segments sent again; at most `segments_sent`.
        retransmitted_segments: u32,
        /// Expirations of the retransmission timer.
        timeouts: u32,
        /// Fast recoveries entered.
        fast_recoveries: u32,
        /// Duplicate acknowledgments that the sender received (RFC 5681 section 2).
        dup_acks: u32,
        /// Data segments that reached the host after one with a higher number (RFC 4737), before any shim.
        reordered_segments: u32,
        /// Data segments that reached the receiver with nothing new.
        duplicate_segments: u32,
        /// Window reductions because of ECN.
        ecn_reductions: u32,
        /// Segments that the reorder buffer held back.
        held_segments: u32,
        /// Times that the reorder buffer gave up waiting.
        shim_timeouts: u32,
    }
}

table! {
    /// One row for each directed link (its output queue included).
    Links of LinkRow {
        /// The link's number.
        link: u32,
        /// Its ends, as `leaf0->spine1`.
        name: String,
        /// Its place: `host->leaf`, `leaf->spine`, `spine->leaf` or `leaf->host`.
        tier: String,
        /// Its rate.
        rate_bps: u64,
        /// Packets accepted by its queue.
        packets: u64,
        /// Bytes on the wire of these packets.
        bytes: u64,
        /// For how long it was transmitting in the measuring window; at most the window's length.
        window_busy_ps: u64,
        /// Packets refused because the queue was full.
        dropped_packets: u64,
        /// Their bytes on the wire.
        dropped_bytes: u64,
        /// Packets marked "congestion experienced" on entering the queue.
        marked_packets: u64,
        /// Sum over the packets of the time from entering the queue to the start of transmission.
        wait_ps: u64,
        /// The largest such time.
        max_wait_ps: u64,
        /// Packets refused because the link was down.
        refused_packets: u64,
        /// Packets in its queue or on its wire when it went down: lost.
        cut_packets: u64,
        /// Packets that crossed it and vanished: a grey failure.
        grey_packets: u64,
        /// Bytes on the wire of the packets refused, cut and vanished.
        lost_bytes: u64,
    }
}

table! {
    /// One row for each switch.
    Switches of SwitchRow {
        /// The switch's number.
        switch: u32,
        /// Its name, as `leaf0`.
        name: String,
        /// `leaf` or `spine`.
        role: String,
        /// Packets that arrived.
        packets: u64,
        /// Choices its balancer made anew (flowlets for a flowlet scheme, packets for the others).
        decisions: u64,
    }
}

table! {
    /// Queue lengths of parallel ports at one instant: DRILL's measure of balance (section 3.2.3).
    Queues of QueueRow {
        /// The instant.
        time_ps: u64,
        /// The leaf whose parallel queues these are.
        leaf: u16,
        /// 1 for the leaf's uplink queues, 0 for the spines' queues towards the leaf.
        up: u8,
        /// How many queues.
        queues: u32,
        /// Sum of their lengths in packets that wait, the packet in transmission not counted.
        packets: u64,
        /// Sum of the squares of these lengths.
        packets_squared: u64,
    }
}

table! {
    /// One row: the run as a whole.
    Totals of TotalsRow {
        /// Where the measuring window begins.
        window_start_ps: u64,
        /// Where it ends.
        window_end_ps: u64,
        /// When the run ended.
        end_ps: u64,
        /// Flows that started.
        flows_started: u64,
        /// Flows that started in the window.
        flows_measured: u64,
        /// Those of them that the sender had not seen acknowledged when the run ended.
        flows_unfinished: u64,
        /// Payload of the flows that started in the window and whose ends are under different leaves.
        offered_fabric_bytes: u64,
        /// Payload of all flows that started in the window.
        offered_bytes: u64,
        /// Sum of the rates of all leaf uplinks.
        uplink_capacity_bps: u64,
        /// Sum of the rates of all host links.
        host_capacity_bps: u64,
        /// Packets that crossed a link: the unit of speed.
        packet_hops: u64,
        /// Packets that hosts sent. injected = delivered + dropped + lost + unroutable + in flight, in packets
        /// and bytes.
        injected_packets: u64,
        /// Their bytes on the wire.
        injected_bytes: u64,
        /// Packets that reached their host.
        delivered_packets: u64,
        /// Their bytes on the wire.
        delivered_bytes: u64,
        /// Packets refused by a full queue.
        dropped_packets: u64,
        /// Their bytes on the wire.
        dropped_bytes: u64,
        /// Packets lost because links had failed: refused, cut or vanished.
        lost_packets: u64,
        /// Their bytes on the wire.
        lost_bytes: u64,
        /// Packets that reached a switch with no way to their destination.
        unroutable_packets: u64,
        /// Their bytes on the wire.
        unroutable_bytes: u64,
        /// Packets in queues and on wires when the run ended.
        in_flight_packets: u64,
        /// Their bytes on the wire.
        in_flight_bytes: u64,
    }
}

table! {
    /// What happened to the fabric, and when each switch learned of it.
    Events of EventRow {
        /// The instant.
        time_ps: u64,
        /// `down` or `up` (a link), `grey` or `healed` (a link), `repaired` (a switch leaves out its own dead ports) or
        /// `learned` (a switch's table takes the change into account).
        event: String,
        /// The link or the switch.
        name: String,
        /// Which change of the scenario's list it belongs to; 0 for grey failures.
        change: u32,
    }
}

table! {
    /// Payload that reached the receiving hosts, interval by interval.
    Throughput of ThroughputRow {
        /// Where the interval ends.
        time_ps: u64,
        /// Bytes of payload that reached hosts in it, duplicates included.
        delivered_payload_bytes: u64,
        /// Packets lost in it because links had failed: refused, cut, vanished, or without a way on.
        lost_packets: u64,
        /// Packets refused in it by full queues.
        dropped_packets: u64,
    }
}

/// Everything that a run leaves behind.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Records {
    /// Its flows.
    pub flows: Flows,
    /// Its links.
    pub links: Links,
    /// Its switches.
    pub switches: Switches,
    /// Its queue samples; empty unless the scenario asks for them.
    pub queues: Queues,
    /// Its failures; empty unless the scenario has any.
    pub events: Events,
    /// Its throughput over time; empty unless the scenario asks for it.
    pub throughput: Throughput,
    /// Itself.
    pub totals: Totals,
}

impl Records {
    /// The tables by name, as columns by name.
    pub fn into_tables(self) -> Vec<(&'static str, Vec<(&'static str, Column)>)> {
        vec![
            ("flows", self.flows.into_columns()),
            ("links", self.links.into_columns()),
            ("switches", self.switches.into_columns()),
            ("queues", self.queues.into_columns()),
            ("events", self.events.into_columns()),
            ("throughput", self.throughput.into_columns()),
            ("totals", self.totals.into_columns()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_columns_in_order() {
        let mut queues = Queues::default();
        for time_ps in [10, 20] {
            let row = QueueRow {
                time_ps,
                leaf: 1,
                up: 1,
                queues: 4,
                packets: 3,
                packets_squared: 5,
            };
            queues.push(row);
        }
        assert_eq!(queues.len(), 2);
        assert_eq!(queues.columns().next(), Some(("time_ps", "The instant.")));
        let columns = queues.into_columns();
        assert_eq!(columns[0], ("time_ps", Column::U64(vec![10, 20])));
        assert_eq!(columns[1], ("leaf", Column::U16(vec![1, 1])));
    }
}

//! A directed link with its output queue, in closed form.
//!
//! A queue of constant rate is a FIFO whose future is known: a packet accepted now leaves at
//! `max(now, last departure) + size / rate` and arrives a propagation delay later. So accepting a packet
//! computes everything, there is no event for its departure, and what the queue holds at an instant is read by
//! passing over the departures before it.

use crate::grey::Grey;
use crate::packet::Packet;
use closlab_units::{Ecn, Rate};

/// When a packet leaves the queue, and its size.
#[derive(Debug, Clone, Copy, Default)]
struct Departure {
    time: u64,
    size: u32,
}

/// A packet that a forwarding engine is still writing into the queue.
#[derive(Debug, Clone, Copy)]
struct Entering {
    until: u64,
    size: u32,
    engine: u16,
}

/// Where a link ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkEnd {
    Host(u32),
    Switch { node: u32, port: u16, engine: u16 },
}

/// What does not change during a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LinkSetup {
    pub rate: Rate,
    pub delay_ps: u64,
    pub buffer_bytes: u64,
    /// DCTCP's K; `u64::MAX` marks nothing.
    pub ecn_threshold_bytes: u64,
    pub end: LinkEnd,
}

/// What a link counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(C)]
pub struct LinkCounters {
    /// Packets that its queue accepted.
    pub packets: u64,
    /// Their bytes on the wire.
    pub bytes: u64,
    /// Sum over them of the time from entering the queue to the start of transmission.
    pub wait_ps: u64,
    /// The largest such time.
    pub max_wait_ps: u64,
    /// Sum over them of the time that their transmission takes.
    pub busy_ps: u64,
    /// Packets refused because the queue was full.
    pub dropped_packets: u64,
    /// Their bytes on the wire.
    pub dropped_bytes: u64,
    /// Packets marked "congestion experienced" on entering the queue.
    pub marked_packets: u64,
    /// Packets refused because the link was down.
    pub refused_packets: u64,
    /// Packets in the queue or on the wire when the link went down: lost.
    pub cut_packets: u64,
    /// Packets that crossed the link and vanished: a grey failure.
    pub grey_packets: u64,
    /// Bytes on the wire of the packets refused, cut and vanished.
    pub lost_bytes: u64,
}

impl LinkCounters {
    /// Packets lost because the link failed: refused, cut or swallowed.
    pub const fn lost_packets(&self) -> u64 {
        self.refused_packets + self.cut_packets + self.grey_packets
    }
}

/// What became of a packet offered to a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// Accepted by an idle link: the head of its ring arrives then.
    Head(u64),
    /// Accepted behind others.
    Behind,
    /// Refused: the queue is full, or the link is down.
    Dropped,
}

/// A link. Its ring holds the packets in its queue and on its wire, oldest first.
///
/// The order of the fields is that of their use: a hop touches the first two cache lines only.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct Link {
    last_departure: u64,
    delay_ps: u64,
    /// Bytes between `departed` and `tail`: the queue as of the last time that it was looked at.
    held_bytes: u64,
    /// While `held_bytes` stays at or below this neither loss nor marking is possible.
    easy_bytes: u64,
    /// Picoseconds a byte, or 0 where that is no whole number.
    ps_per_byte: u32,
    head: u32,
    departed: u32,
    tail: u32,
    packets: Box<[Packet]>,
    departures: Box<[Departure]>,
    pub end: LinkEnd,
    /// Whether an arrival needs a closer look: the link has failed in some way.
    pub special: bool,
    pub counters: LinkCounters,
    /// Entries of the event queue that stand for packets lost when the link went down.
    stale_entries: u32,
    down: bool,
    grey: Option<Box<Grey>>,
    buffer_bytes: u64,
    ecn_threshold_bytes: u64,
    rate: Rate,
    entering: Vec<Entering>,
}

impl Link {
    pub(crate) fn new(setup: LinkSetup) -> Link {
        Link {
            last_departure: 0,
            delay_ps: setup.delay_ps,
            held_bytes: 0,
            easy_bytes: setup.buffer_bytes.min(setup.ecn_threshold_bytes),
            ps_per_byte: setup
                .rate
                .ps_per_byte()
                .and_then(|ps| u32::try_from(ps).ok())
                .unwrap_or(0),
            head: 0,
            departed: 0,
            tail: 0,
            packets: Box::default(),
            departures: Box::default(),
            end: setup.end,
            special: false,
            counters: LinkCounters::default(),
            stale_entries: 0,
            down: false,
            grey: None,
            buffer_bytes: setup.buffer_bytes,
            ecn_threshold_bytes: setup.ecn_threshold_bytes,
            rate: setup.rate,
            entering: Vec::new(),
        }
    }

    /// Offers a packet at `now`.
    #[inline]
    pub(crate) fn offer(&mut self, now: u64, packet: &Packet) -> Offer {
        let size = u64::from(packet.header.size);
        let mut marked = false;
        if self.held_bytes + size > self.easy_bytes {
            if self.down {
                self.counters.refused_packets += 1;
                self.counters.lost_bytes += size;
                return Offer::Dropped;
            }
            self.pass_departures(now);
            if self.held_bytes + size > self.buffer_bytes {
                self.counters.dropped_packets += 1;
                self.counters.dropped_bytes += size;
                return Offer::Dropped;
            }
            marked = self.held_bytes > self.ecn_threshold_bytes && packet.header.ecn != Ecn::NotEct;
        }
        let start = self.last_departure.max(now);
        let transmission = self.serialisation(size);
        let departure = start + transmission;
        self.last_departure = departure;
        self.held_bytes += size;
        self.counters.busy_ps += transmission;
        self.count(size, start - now);
        let idle = self.head == self.tail;
        self.append(
            packet,
            Departure {
                time: departure,
                size: u32::from(packet.header.size),
            },
        );
        if marked {
            self.mark_last();
        }
        if idle {
            Offer::Head(departure + self.delay_ps)
        } else {
            Offer::Behind
        }
    }

    #[inline]
    fn serialisation(&self, size: u64) -> u64 {
        if self.ps_per_byte != 0 {
            size * u64::from(self.ps_per_byte)
        } else {
            self.rate.serialisation(size).ps()
        }
    }

    #[inline]
    fn count(&mut self, size: u64, wait: u64) {
        self.counters.packets += 1;
        self.counters.bytes += size;
        self.counters.wait_ps += wait;
        self.counters.max_wait_ps = self.counters.max_wait_ps.max(wait);
    }

    #[inline]
    fn append(&mut self, packet: &Packet, departure: Departure) {
        if self.len() as usize == self.packets.len() {
            self.grow();
        }
        let slot = self.slot(self.tail);
        self.packets[slot] = *packet;
        self.departures[slot] = departure;
        self.tail = self.tail.wrapping_add(1);
    }

    #[cold]
    fn mark_last(&mut self) {
        let slot = self.slot(self.tail.wrapping_sub(1));
        self.packets[slot].header.ecn = Ecn::Ce;
        self.counters.marked_packets += 1;
    }

    /// The ring's place of the packet with running number `number`.
    #[inline]
    fn slot(&self, number: u32) -> usize {
        number as usize & self.packets.len().wrapping_sub(1)
    }

    /// Packets in the ring. Running numbers wrap, the ring's length divides 2^32.
    #[inline]
    fn len(&self) -> u32 {
        self.tail.wrapping_sub(self.head)
    }

    /// The places in use, oldest first.
    fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|offset| self.slot(self.head.wrapping_add(offset)))
    }

    /// Doubles the ring; running numbers start again from zero.
    #[cold]
    fn grow(&mut self) {
        let capacity = (self.packets.len() * 2).max(4);
        let mut packets = Vec::with_capacity(capacity);
        let mut departures = Vec::with_capacity(capacity);
        for slot in self.slots() {
            packets.push(self.packets[slot]);
            departures.push(self.departures[slot]);
        }
        let length = self.len();
        packets.resize(capacity, Packet::EMPTY);
        departures.resize(capacity, Departure::default());
        self.departed = self.departed.wrapping_sub(self.head);
        self.tail = length;
        self.head = 0;
        self.packets = packets.into();
        self.departures = departures.into();
    }

    /// Takes the packet that arrives now, and the time of the next arrival if there is one.
    ///
    /// The ring must not be empty.
    #[inline]
    pub(crate) fn arrive(&mut self) -> (Packet, Option<u64>) {
        let slot = self.slot(self.head);
        let packet = self.packets[slot];
        if self.departed == self.head {
            self.held_bytes -= u64::from(packet.header.size);
            self.departed = self.departed.wrapping_add(1);
        }
        self.head = self.head.wrapping_add(1);
        if self.head == self.tail {
            (self.head, self.departed, self.tail) = (0, 0, 0);
            return (packet, None);
        }
        (packet, Some(self.next_arrival()))
    }

    /// Reads what the next arrival will need, so that the processor fetches it for many links at once.
    #[inline]
    pub(crate) fn warm(&self) {
        std::hint::black_box(self.packets[self.slot(self.head)].number);
    }

    /// Accounts for the packets whose last bit has left by `now`.
    #[inline]
    fn pass_departures(&mut self, now: u64) {
        while self.departed != self.tail {
            let departure = self.departures[self.slot(self.departed)];
            if departure.time > now {
                break;
            }
            self.held_bytes -= u64::from(departure.size);
            self.departed = self.departed.wrapping_add(1);
        }
    }

    /// Bytes in the queue at `now`, the packet in transmission included.
    #[inline]
    pub(crate) fn queued_bytes(&mut self, now: u64) -> u64 {
        if self.last_departure <= now {
            return 0;
        }
        self.pass_departures(now);
        self.held_bytes
    }

    /// The same as forwarding engine `engine` sees it: what other engines are still writing into the queue does
    /// not count.
    #[inline]
    pub(crate) fn visible_bytes(&mut self, now: u64, engine: usize) -> u64 {
        let mut bytes = self.queued_bytes(now);
        if !self.entering.is_empty() {
            self.entering.retain(|packet| packet.until > now);
            for packet in &self.entering {
                if usize::from(packet.engine) != engine {
                    // A packet leaves after it has entered: it is among the bytes held.
                    bytes -= u64::from(packet.size);
                }
            }
        }
        bytes
    }

    /// Notes that `engine` is writing the packet accepted last into the queue until `until`.
    pub(crate) fn enter(&mut self, now: u64, until: u64, size: u16, engine: u16) {
        self.entering.retain(|packet| packet.until > now);
        // No engine finishes writing later than the link finishes sending.
        let until = until.min(self.last_departure);
        self.entering.push(Entering {
            until,
            size: u32::from(size),
            engine,
        });
    }

    /// The link goes down: what is in its queue and on its wire is lost, and until [`Link::bring_up`] it takes nothing.
    pub(crate) fn take_down(&mut self, now: u64) {
        if self.down {
            return;
        }
        let (packets, bytes) = self.in_flight();
        self.counters.cut_packets += packets;
        self.counters.lost_bytes += bytes;
        self.counters.busy_ps -= self.last_departure.saturating_sub(now);
        self.last_departure = self.last_departure.min(now);
        self.stale_entries += u32::from(packets > 0);
        (self.head, self.departed, self.tail) = (0, 0, 0);
        self.held_bytes = 0;
        self.entering.clear();
        self.down = true;
        self.easy_bytes = 0;
        self.special = true;
    }

    /// The link works again, with an empty queue.
    pub(crate) fn bring_up(&mut self) {
        self.down = false;
        self.easy_bytes = self.buffer_bytes.min(self.ecn_threshold_bytes);
        self.note_special();
    }

    /// From now on packets vanish as `grey` says; `None` heals the link.
    pub(crate) fn set_grey(&mut self, grey: Option<Grey>) {
        self.grey = grey.map(Box::new);
        self.note_special();
    }

    fn note_special(&mut self) {
        self.special = self.stale_entries > 0 || self.down || self.grey.is_some();
    }

    /// Whether an entry of the event queue stands for packets that the link lost, so that the next one may not take
    /// its place in the wheel.
    #[inline]
    pub(crate) fn has_stale_entry(&self) -> bool {
        // `special` lies in a cache line that every hop reads anyway.
        self.special && self.stale_entries > 0
    }

    /// Entries of the event queue that stand for lost packets.
    pub(crate) fn stale_entries(&self) -> u32 {
        self.stale_entries
    }

    /// Whether an entry of the event queue for `time` stands for lost packets; it is forgotten then.
    pub(crate) fn is_stale(&mut self, time: u64) -> bool {
        let next = (self.head != self.tail).then(|| self.next_arrival());
        if self.stale_entries == 0 || next == Some(time) {
            return false;
        }
        self.stale_entries -= 1;
        self.note_special();
        true
    }

    /// Whether a grey failure swallows `packet`, which has just crossed the link.
    pub(crate) fn swallows(&mut self, packet: &Packet) -> bool {
        let lost = self
            .grey
            .as_mut()
            .is_some_and(|grey| grey.swallows(&packet.header));
        if lost {
            self.counters.grey_packets += 1;
            self.counters.lost_bytes += u64::from(packet.header.size);
        }
        lost
    }

    /// When the head of the ring, which must not be empty, arrives.
    #[inline]
    fn next_arrival(&self) -> u64 {
        self.departures[self.slot(self.head)].time + self.delay_ps
    }

    /// Packets that wait at `now`, the one in transmission not counted.
    pub(crate) fn waiting(&mut self, now: u64) -> u64 {
        self.pass_departures(now);
        u64::from(self.tail.wrapping_sub(self.departed)).saturating_sub(1)
    }

    /// For how long the link has been transmitting up to `now`: the queue never rests while it holds a packet.
    pub(crate) fn transmitting_ps(&self, now: u64) -> u64 {
        self.counters.busy_ps - self.last_departure.saturating_sub(now)
    }

    /// Packets and bytes in the queue and on the wire.
    pub(crate) fn in_flight(&self) -> (u64, u64) {
        let bytes = self
            .slots()
            .map(|slot| u64::from(self.departures[slot].size))
            .sum();
        (u64::from(self.len()), bytes)
    }

    /// Bytes of memory that the link occupies.
    pub(crate) fn memory_bytes(&self) -> usize {
        size_of::<Link>()
            + self.packets.len() * (size_of::<Packet>() + size_of::<Departure>())
            + self.entering.capacity() * size_of::<Entering>()
    }
}

const _: () = assert!(size_of::<Link>() <= 256, "a link is four cache lines");

#[cfg(test)]
mod tests {
    use super::*;

    const GBPS_10: u64 = 800;

    fn link(buffer_bytes: u64, ecn_threshold_bytes: u64) -> Link {
        Link::new(LinkSetup {
            rate: Rate::from_gbps(10),
            delay_ps: 1_000_000,
            buffer_bytes,
            ecn_threshold_bytes,
            end: LinkEnd::Host(0),
        })
    }

    fn packet(size: u16, number: u32) -> Packet {
        let mut packet = Packet::EMPTY;
        packet.header.size = size;
        packet.number = number;
        packet
    }

    #[test]
    fn packets_follow_each_other_without_a_gap_and_in_order() {
        let mut link = link(u64::MAX, u64::MAX);
        let tx = 1_000 * GBPS_10;
        assert_eq!(
            link.offer(5, &packet(1_000, 0)),
            Offer::Head(5 + tx + 1_000_000)
        );
        for number in 1..10 {
            assert_eq!(link.offer(5, &packet(1_000, number)), Offer::Behind);
        }
        for number in 0..10u32 {
            let (packet, next) = link.arrive();
            assert_eq!(packet.number, number);
            let expected = (number < 9).then(|| 5 + (u64::from(number) + 2) * tx + 1_000_000);
            assert_eq!(next, expected);
        }
        // Idle since then: the next packet starts at once.
        let late = 50_000_000;
        assert_eq!(
            link.offer(late, &packet(1_000, 10)),
            Offer::Head(late + tx + 1_000_000)
        );
        assert_eq!(link.counters.wait_ps, (0..10).map(|n| n * tx).sum::<u64>());
        assert_eq!(link.counters.max_wait_ps, 9 * tx);
    }

    #[test]
    fn a_packet_is_dropped_exactly_when_it_does_not_fit() {
        let mut link = link(3_000, u64::MAX);
        for number in 0..3 {
            assert_ne!(link.offer(0, &packet(1_000, number)), Offer::Dropped);
        }
        assert_eq!(link.offer(0, &packet(1, 3)), Offer::Dropped);
        // The first packet holds its place until its last bit has left.
        let tx = 1_000 * GBPS_10;
        assert_eq!(link.offer(tx - 1, &packet(1_000, 4)), Offer::Dropped);
        assert_eq!(link.offer(tx, &packet(1_000, 5)), Offer::Behind);
        assert_eq!(
            (link.counters.dropped_packets, link.counters.dropped_bytes),
            (2, 1_001)
        );
        assert_eq!(link.in_flight(), (4, 4_000));
    }

    #[test]
    fn marks_what_arrives_to_more_than_k_bytes_if_it_understands_ecn() {
        let mut link = link(u64::MAX, 2_000);
        for number in 0..5 {
            let mut packet = packet(1_000, number);
            packet.header.ecn = if number == 4 { Ecn::NotEct } else { Ecn::Ect };
            link.offer(0, &packet);
        }
        let marks: Vec<Ecn> = (0..5).map(|_| link.arrive().0.header.ecn).collect();
        assert_eq!(marks, [Ecn::Ect, Ecn::Ect, Ecn::Ect, Ecn::Ce, Ecn::NotEct]);
        assert_eq!(link.counters.marked_packets, 1);
    }

    #[test]
    fn occupancy_counts_the_packet_in_transmission_and_waiting_does_not() {
        let mut link = link(u64::MAX, u64::MAX);
        link.offer(0, &packet(1_000, 0));
        link.offer(0, &packet(500, 1));
        assert_eq!((link.queued_bytes(0), link.waiting(0)), (1_500, 1));
        let tx = 1_000 * GBPS_10;
        assert_eq!(
            (link.queued_bytes(tx - 1), link.waiting(tx - 1)),
            (1_500, 1)
        );
        assert_eq!((link.queued_bytes(tx), link.waiting(tx)), (500, 0));
        assert_eq!((link.queued_bytes(2 * tx), link.waiting(2 * tx)), (0, 0));
        // It transmitted all the time until the second packet's last bit.
        assert_eq!(link.transmitting_ps(tx + 7), tx + 7);
        assert_eq!(link.transmitting_ps(2 * tx), 1_500 * GBPS_10);
    }

    #[test]
    fn other_engines_see_a_packet_only_once_it_is_enqueued() {
        let mut link = link(u64::MAX, u64::MAX);
        link.offer(0, &packet(1_000, 0));
        link.enter(0, 100, 1_000, 0);
        assert_eq!(link.visible_bytes(50, 0), 1_000, "its own packet");
        assert_eq!(
            link.visible_bytes(99, 1),
            0,
            "another engine's, not wholly enqueued"
        );
        assert_eq!(link.visible_bytes(100, 1), 1_000);
        // Writing can't outlast sending, however slow the engine.
        link.offer(100, &packet(1_000, 1));
        link.enter(100, u64::MAX, 1_000, 0);
        let end = 2_000 * GBPS_10;
        assert_eq!(link.visible_bytes(end, 1), 0);
    }

    #[test]
    fn a_link_that_goes_down_loses_what_it_holds_and_refuses_the_rest() {
        let mut link = link(u64::MAX, u64::MAX);
        let tx = 1_000 * GBPS_10;
        link.offer(0, &packet(1_000, 0));
        link.offer(0, &packet(1_000, 1));
        let first_arrival = tx + 1_000_000;
        link.take_down(tx + 5);
        assert_eq!(
            (link.counters.cut_packets, link.counters.lost_bytes),
            (2, 2_000)
        );
        assert_eq!(link.transmitting_ps(tx + 5), tx + 5);
        assert_eq!(link.offer(tx + 6, &packet(1_000, 2)), Offer::Dropped);
        assert_eq!(link.counters.refused_packets, 1);
        assert_eq!(link.in_flight(), (0, 0));
        // Up again: the queue is empty, and the entry of the packet that was cut is recognised.
        link.bring_up();
        assert!(link.has_stale_entry());
        assert_eq!(
            link.offer(2 * tx, &packet(1_000, 3)),
            Offer::Head(3 * tx + 1_000_000)
        );
        assert!(link.is_stale(first_arrival));
        assert!(!link.special && !link.has_stale_entry());
        assert_eq!(link.arrive().0.number, 3);
    }

    #[test]
    fn rates_without_whole_picoseconds_a_byte_round_up() {
        let mut link = Link::new(LinkSetup {
            rate: Rate::from_gbps(3),
            delay_ps: 0,
            buffer_bytes: 10_000,
            ecn_threshold_bytes: u64::MAX,
            end: LinkEnd::Host(0),
        });
        assert_eq!(link.offer(0, &packet(1_000, 0)), Offer::Head(2_666_667));
    }
}

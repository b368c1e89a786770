//! A pipe between one sender and one receiver under virtual time: a delay each way, a spacing between
//! segments that leave together, and a fate for each.
#![allow(dead_code)] // each test program uses its part

use closlab_transport::{Receiver, Segment, Sender, TcpConfig};
use closlab_units::Time;
use std::collections::BTreeMap;

/// What the network does with one segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Deliver,
    Drop,
    /// Arrives this much later than it would.
    Late(Time),
    /// Arrives as usual and once more this much later.
    Twice(Time),
    /// Arrives with a congestion mark.
    Mark,
}

/// A data segment as it left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub at: Time,
    pub number: u32,
    pub again: bool,
}

enum Event {
    Data(Segment),
    Ack(Segment),
}

type Rule = Box<dyn FnMut(usize, &Segment) -> Fate>;

pub struct Pipe {
    pub config: TcpConfig,
    pub sender: Sender,
    pub receiver: Receiver,
    pub now: Time,
    /// Every data segment sent, in order.
    pub sent: Vec<Sent>,
    /// Every segment of the receiver, in order.
    pub answers: Vec<(Time, Segment)>,
    /// The window after each acknowledgement, in bytes.
    pub windows: Vec<u64>,
    /// Whether to keep `sent`, `answers` and `windows`.
    pub log: bool,
    pub delay: Time,
    pub spacing: Time,
    /// The sender is asked for segments only after every so many events, as by a host that is busy.
    pub poll_every: usize,
    steps: usize,
    data_rule: Rule,
    ack_rule: Rule,
    syn_rule: Rule,
    /// The length of each segment that has arrived, by place; 0 for none.
    arrived: Vec<u16>,
    /// The end of what has been sent (flows below 4 GiB).
    high_sent: u32,
    syns: usize,
    data_count: usize,
    ack_count: usize,
    last_data: Time,
    events: BTreeMap<(Time, u64), Event>,
    order: u64,
}

/// Segments of 1,000 bytes, no handshake, every segment acknowledged, timeouts of 1 to 100 ms.
pub fn config() -> TcpConfig {
    TcpConfig {
        mss: 1000,
        initial_window: 10,
        receive_window: 1 << 30,
        rto_initial: Time::from_ms(1),
        rto_min: Time::from_ms(1),
        rto_max: Time::from_ms(100),
        delayed_ack_segments: 1,
        handshake: false,
        ..TcpConfig::default()
    }
}

impl Pipe {
    /// 50 us each way, 1 us between segments that leave together.
    pub fn new(config: TcpConfig, size: u64) -> Pipe {
        assert_eq!(config.check(), Ok(()));
        Pipe {
            sender: Sender::new(&config, size),
            receiver: Receiver::new(&config, size),
            config,
            now: Time::ZERO,
            sent: Vec::new(),
            answers: Vec::new(),
            windows: Vec::new(),
            log: true,
            delay: Time::from_us(50),
            spacing: Time::from_us(1),
            poll_every: 1,
            steps: 0,
            data_rule: Box::new(|_, _| Fate::Deliver),
            ack_rule: Box::new(|_, _| Fate::Deliver),
            syn_rule: Box::new(|_, _| Fate::Deliver),
            arrived: Vec::new(),
            high_sent: 0,
            syns: 0,
            data_count: 0,
            ack_count: 0,
            last_data: Time::ZERO,
            events: BTreeMap::new(),
            order: 0,
        }
    }

    /// The fate of the n-th data segment sent, counted from 0.
    pub fn data(mut self, rule: impl FnMut(usize, &Segment) -> Fate + 'static) -> Pipe {
        self.data_rule = Box::new(rule);
        self
    }

    /// The fate of the n-th acknowledgement sent, counted from 0.
    pub fn acks(mut self, rule: impl FnMut(usize, &Segment) -> Fate + 'static) -> Pipe {
        self.ack_rule = Box::new(rule);
        self
    }

    /// The fate of the n-th SYN or SYN-ACK sent.
    pub fn syns(mut self, rule: impl FnMut(usize, &Segment) -> Fate + 'static) -> Pipe {
        self.syn_rule = Box::new(rule);
        self
    }

    /// Drops the data segments sent as number 0, 1, ... that stand in `lost`.
    pub fn losing(self, lost: &'static [usize]) -> Pipe {
        self.data(move |n, _| {
            if lost.contains(&n) {
                Fate::Drop
            } else {
                Fate::Deliver
            }
        })
    }

    /// Runs until the sender is done and nothing is in the network; the end must come within `limit`.
    pub fn run(&mut self, limit: Time) -> &mut Pipe {
        let finished = self.run_until(limit);
        assert!(finished, "not done after {limit}: {:?}", self.sender);
        self
    }

    /// Runs up to `limit`; answers whether the flow has ended by then.
    pub fn run_until(&mut self, limit: Time) -> bool {
        if self.now == Time::ZERO && self.order == 0 {
            self.sender.start(self.now, &self.config);
        }
        loop {
            if self.events.is_empty() || self.steps.is_multiple_of(self.poll_every) {
                self.send_data();
            }
            self.send_answers();
            self.steps += 1;
            let arrival = self.events.first_key_value().map(|((at, _), _)| *at);
            let next = arrival
                .unwrap_or(Time::MAX)
                .min(self.sender.deadline())
                .min(self.receiver.deadline());
            if next == Time::MAX {
                return self.sender.is_done();
            }
            if next > limit {
                return false;
            }
            assert!(next >= self.now, "time runs backwards");
            self.now = next;
            self.step(arrival == Some(next));
        }
    }

    fn step(&mut self, arrival: bool) {
        if !arrival {
            if self.sender.deadline() <= self.now {
                self.sender.on_deadline(self.now, &self.config);
                self.check_sender();
            }
            if self.receiver.deadline() <= self.now {
                self.receiver.on_deadline(self.now, &self.config);
            }
            return;
        }
        match self.events.pop_first() {
            Some((_, Event::Data(segment))) => {
                self.receiver.on_segment(self.now, &self.config, &segment);
                self.check_arrival(&segment);
            }
            Some((_, Event::Ack(segment))) => {
                self.sender.on_segment(self.now, &self.config, &segment);
                self.check_sender();
                if self.log {
                    self.windows.push(self.sender.cwnd());
                }
            }
            None => unreachable!("an arrival was due"),
        }
    }

    /// What the application has is the contiguous part of what has arrived; a shim may still hold some.
    fn check_arrival(&mut self, segment: &Segment) {
        if !self.log || segment.len == 0 {
            return;
        }
        let mss = usize::from(self.config.mss);
        let index = segment.number as usize / mss;
        self.arrived.resize(self.arrived.len().max(index + 1), 0);
        self.arrived[index] = segment.len;
        let contiguous = self.arrived.iter().take_while(|len| **len > 0);
        let bytes: u64 = contiguous.map(|len| u64::from(*len)).sum();
        if self.config.reorder_timeout.is_some() {
            assert!(self.receiver.delivered() <= bytes);
        } else {
            assert_eq!(self.receiver.delivered(), bytes);
        }
    }

    /// Nothing is acknowledged that was not delivered; the window is never below one segment; what is
    /// outstanding always has a timer; what is in the pipe was sent, at most twice.
    fn check_sender(&mut self) {
        let sender = &self.sender;
        assert!(sender.acknowledged() <= self.receiver.delivered());
        assert!(sender.cwnd() >= u64::from(self.config.mss));
        assert!(sender.ssthresh() >= 2 * u64::from(self.config.mss));
        let high_sent = u64::from(self.high_sent);
        if self.log && high_sent > 0 {
            let outstanding = high_sent - sender.acknowledged();
            assert!(sender.pipe() <= 2 * outstanding);
            assert_eq!(sender.deadline() == Time::MAX, outstanding == 0);
        }
    }

    fn send_data(&mut self) {
        let mut burst = 0;
        while let Some(segment) = self.sender.poll_transmit(self.now, &self.config) {
            burst += 1;
            assert!(burst < 100_000, "the sender never stops sending");
            self.last_data = self.last_data.max(self.now) + self.spacing;
            let arrival = self.last_data + self.delay;
            let fate = if segment.len == 0 {
                self.syn_fate(&segment)
            } else {
                if self.log {
                    let again = segment.number < self.high_sent;
                    let end = segment.number + u32::from(segment.len);
                    self.high_sent = self.high_sent.max(end);
                    self.sent.push(Sent {
                        at: self.now,
                        number: segment.number,
                        again,
                    });
                }
                self.data_count += 1;
                (self.data_rule)(self.data_count - 1, &segment)
            };
            self.travel(fate, arrival, segment, Event::Data);
        }
    }

    fn send_answers(&mut self) {
        while let Some(segment) = self.receiver.poll_transmit(self.now, &self.config) {
            if self.log {
                self.answers.push((self.now, segment));
            }
            let fate = if segment.flags.contains(closlab_transport::TcpFlags::SYN) {
                self.syn_fate(&segment)
            } else {
                self.ack_count += 1;
                (self.ack_rule)(self.ack_count - 1, &segment)
            };
            self.travel(fate, self.now + self.delay, segment, Event::Ack);
        }
    }

    fn syn_fate(&mut self, segment: &Segment) -> Fate {
        self.syns += 1;
        (self.syn_rule)(self.syns - 1, segment)
    }

    fn travel(&mut self, fate: Fate, arrival: Time, segment: Segment, wrap: fn(Segment) -> Event) {
        let mut put = |at: Time, segment: Segment| {
            self.order += 1;
            self.events.insert((at, self.order), wrap(segment));
        };
        match fate {
            Fate::Deliver => put(arrival, segment),
            Fate::Drop => {}
            Fate::Late(by) => put(arrival + by, segment),
            Fate::Twice(after) => {
                put(arrival, segment);
                put(arrival + after, segment);
            }
            Fate::Mark => put(
                arrival,
                Segment {
                    ecn: closlab_transport::Ecn::Ce,
                    ..segment
                },
            ),
        }
    }

    /// The numbers of the segments sent again, in thousands of bytes, in order.
    pub fn sent_again(&self) -> Vec<u32> {
        let again = self.sent.iter().filter(|sent| sent.again);
        again.map(|sent| sent.number / 1000).collect()
    }
}

//! How are events counted over a piece of code? Group by group, each on the PMU alone.

use std::fs;

use super::event::Event;
use super::group::{Count, counts};
use super::ipc::ipc_reading;
use super::kernel::{Kernel, Linux};
use super::refusal::{self, Refusal};
use crate::machine::Machine;

/// Events of this thread that are open and can be counted.
pub struct Counters {
    groups: Groups<Linux>,
}

impl std::fmt::Debug for Counters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.events()).finish()
    }
}

impl Counters {
    /// Opens `events` of the calling thread; those that cannot be had come back with the reason. `machine` tells whether there is a hypervisor.
    ///
    /// Hardware events are counted in user mode alone. The kernel's own are counted wherever it lets, else in user mode alone.
    pub fn open(events: &[Event], machine: &Machine) -> (Self, Vec<Refusal>) {
        let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid")
            .ok()
            .and_then(|level| level.trim().parse().ok());
        let (groups, refused) = Groups::open(Linux, events, paranoid, machine.hypervisor());
        (Self { groups }, refused)
    }

    /// The events that are counted.
    pub fn events(&self) -> impl Iterator<Item = Event> {
        self.groups.groups.iter().flat_map(|group| group.events.iter().copied())
    }

    /// Counts what happens in `work`, which is run once for each of up to four groups of events.
    pub fn count(&mut self, work: impl FnMut()) -> Reading {
        self.groups.count(work)
    }
}

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Events and how often they happened, in the order in which they were asked for.
    pub counts: Vec<(Event, Count)>,
    /// What to know of them: groups that were scaled, or not counted at all.
    pub notes: Vec<String>,
}

impl Reading {
    /// How often `event` happened, if it was counted.
    pub fn get(&self, event: Event) -> Option<f64> {
        self.counts.iter().find(|(known, _)| *known == event).map(|(_, count)| count.value)
    }

    /// Instructions a cycle; both are of one group, so of the same run.
    pub fn ipc(&self) -> Option<f64> {
        let cycles = self.get(Event::Cycles).filter(|cycles| *cycles > 0.0)?;
        Some(self.get(Event::Instructions)? / cycles)
    }

    /// What the instructions a cycle mean on a core of this width.
    pub fn ipc_reading(&self, width: Option<u8>) -> Option<String> {
        self.ipc().map(|ipc| ipc_reading(ipc, width))
    }
}

struct Group<H> {
    events: Vec<Event>,
    /// The first is the leader.
    handles: Vec<H>,
}

/// Groups of events on some kernel.
pub(super) struct Groups<K: Kernel> {
    kernel: K,
    groups: Vec<Group<K::Handle>>,
    asked: Vec<Event>,
}

impl<K: Kernel> Groups<K> {
    pub(super) fn open(
        kernel: K,
        events: &[Event],
        paranoid: Option<i32>,
        hypervisor: Option<&str>,
    ) -> (Self, Vec<Refusal>) {
        let mut refused = Vec::new();
        let mut groups: Vec<(usize, Group<K::Handle>)> = Vec::new();
        for (at, event) in events.iter().copied().enumerate() {
            if events[..at].contains(&event) {
                continue;
            }
            let place = groups.iter().position(|(number, _)| *number == event.group());
            let leader = place.and_then(|place| groups[place].1.handles.first());
            let opened = if event.is_software() {
                kernel.open(event, leader, false).or_else(|_| kernel.open(event, leader, true))
            } else {
                kernel.open(event, leader, true)
            };
            match (opened, place) {
                (Ok(handle), Some(place)) => {
                    groups[place].1.events.push(event);
                    groups[place].1.handles.push(handle);
                }
                (Ok(handle), None) => {
                    groups.push((event.group(), Group { events: vec![event], handles: vec![handle] }));
                }
                (Err(error), _) => {
                    refusal::add(&mut refused, Refusal::new(event, &error, paranoid, hypervisor));
                }
            }
        }
        let groups = groups.into_iter().map(|(_, group)| group).collect();
        (Self { kernel, groups, asked: events.to_vec() }, refused)
    }

    pub(super) fn count(&mut self, mut work: impl FnMut()) -> Reading {
        let mut reading = Reading::default();
        for group in &self.groups {
            let names = || group.events.iter().map(|event| event.name()).collect::<Vec<_>>().join(", ");
            let counted = self.one(group, &mut work);
            match counted {
                Some(counts) => {
                    if let Some(scaled) = counts.iter().find(|count| count.is_scaled()) {
                        reading.notes.push(format!(
                            "{} were on the PMU for {:.0} % of the time and are scaled up: somebody else uses it, too",
                            names(),
                            100.0 * scaled.share
                        ));
                    }
                    reading.counts.extend(group.events.iter().copied().zip(counts));
                }
                None => {
                    reading.notes.push(format!("{} were never on the PMU: somebody else has it", names()))
                }
            }
        }
        let place = |event: Event| self.asked.iter().position(|asked| *asked == event);
        reading.counts.sort_by_key(|(event, _)| place(*event));
        reading
    }

    fn one(&self, group: &Group<K::Handle>, work: &mut impl FnMut()) -> Option<Vec<Count>> {
        let leader = group.handles.first()?;
        self.kernel.start(leader).ok()?;
        work();
        self.kernel.stop(leader).ok()?;
        let mut words = vec![0; 3 + group.events.len()];
        let read = self.kernel.read(leader, &mut words).ok()?;
        counts(words.get(..read)?, group.events.len())
    }
}

impl Groups<Linux> {
    /// The descriptors that are open, for tests.
    #[cfg(test)]
    fn handles(&self) -> impl Iterator<Item = &std::os::fd::OwnedFd> {
        self.groups.iter().flat_map(|group| &group.handles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::io;

    /// A kernel that counts what it is told, shares its PMU, and refuses what it is told to refuse.
    #[derive(Default)]
    struct Made {
        per_run: Vec<(Event, u64)>,
        running: Cell<u64>,
        refuses: Vec<(Event, i32)>,
        refuses_kernel_mode: bool,
        opened: RefCell<Vec<(Event, Option<Event>, bool)>>,
        started: RefCell<Vec<Event>>,
        groups: RefCell<Vec<(Event, Vec<Event>)>>,
    }

    impl Kernel for Made {
        type Handle = Event;

        fn open(&self, event: Event, leader: Option<&Event>, user_only: bool) -> io::Result<Event> {
            if let Some((_, errno)) = self.refuses.iter().find(|(refused, _)| *refused == event) {
                return Err(io::Error::from_raw_os_error(*errno));
            }
            if self.refuses_kernel_mode && !user_only {
                return Err(io::Error::from_raw_os_error(libc::EACCES));
            }
            self.opened.borrow_mut().push((event, leader.copied(), user_only));
            match leader {
                None => self.groups.borrow_mut().push((event, vec![event])),
                Some(leader) => {
                    self.groups.borrow_mut().iter_mut().find(|(of, _)| of == leader).unwrap().1.push(event)
                }
            }
            Ok(event)
        }

        fn start(&self, leader: &Event) -> io::Result<()> {
            self.started.borrow_mut().push(*leader);
            Ok(())
        }

        fn stop(&self, leader: &Event) -> io::Result<()> {
            assert_eq!(self.started.borrow().last(), Some(leader), "one group at a time");
            Ok(())
        }

        fn read(&self, leader: &Event, words: &mut [u64]) -> io::Result<usize> {
            let groups = self.groups.borrow();
            let events = &groups.iter().find(|(of, _)| of == leader).unwrap().1;
            words[..3].copy_from_slice(&[events.len() as u64, 1000, self.running.get()]);
            for (word, event) in words[3..].iter_mut().zip(events) {
                *word = self.per_run.iter().find(|(of, _)| of == event).map_or(0, |(_, count)| *count);
            }
            Ok(3 + events.len())
        }
    }

    fn made() -> Made {
        Made {
            per_run: vec![(Event::Cycles, 1000), (Event::Instructions, 2500), (Event::PageFaults, 3)],
            running: Cell::new(1000),
            ..Made::default()
        }
    }

    #[test]
    fn work_runs_once_a_group_and_counts_come_in_the_order_asked_for() {
        let asked = [Event::PageFaults, Event::Instructions, Event::LlcMisses, Event::Cycles];
        let (mut groups, refused) = Groups::open(made(), &asked, Some(2), None);
        assert!(refused.is_empty());
        let mut runs = 0;
        let reading = groups.count(|| runs += 1);
        assert_eq!(runs, 3);
        assert_eq!(reading.counts.iter().map(|(event, _)| *event).collect::<Vec<_>>(), asked);
        assert_eq!(reading.get(Event::PageFaults), Some(3.0));
        assert_eq!(reading.ipc(), Some(2.5));
        assert!(reading.notes.is_empty());
    }

    #[test]
    fn a_pmu_that_is_shared_is_scaled_and_said() {
        let kernel = made();
        kernel.running.set(500);
        let (mut groups, _) = Groups::open(kernel, &[Event::Cycles, Event::Instructions], None, None);
        let reading = groups.count(|| ());
        assert_eq!(reading.get(Event::Cycles), Some(2000.0));
        assert_eq!(reading.ipc(), Some(2.5));
        assert!(reading.notes[0].contains("50 %"), "{:?}", reading.notes);
        groups.kernel.running.set(0);
        let reading = groups.count(|| ());
        assert!(reading.counts.is_empty() && reading.notes[0].contains("never on the PMU"));
    }

    #[test]
    fn what_is_refused_keeps_nothing_else_from_being_counted() {
        let kernel = Made {
            refuses: Event::ALL
                .iter()
                .filter(|event| !event.is_software())
                .map(|event| (*event, libc::ENOENT))
                .collect(),
            ..made()
        };
        let (mut groups, refused) = Groups::open(kernel, &Event::ALL, Some(2), Some("KVM"));
        assert_eq!(refused.len(), 1, "one reason, said once");
        assert_eq!(refused[0].events.len(), 8);
        let reading = groups.count(|| ());
        assert_eq!(reading.counts.len(), 4);
        assert_eq!(reading.ipc(), None);
    }

    #[test]
    fn hardware_is_user_mode_alone_and_software_falls_back_to_it() {
        let (groups, _) = Groups::open(made(), &[Event::Cycles, Event::PageFaults], None, None);
        assert_eq!(
            *groups.kernel.opened.borrow(),
            [(Event::Cycles, None, true), (Event::PageFaults, None, false)]
        );
        let kernel = Made { refuses_kernel_mode: true, ..made() };
        let (groups, refused) = Groups::open(kernel, &[Event::PageFaults], None, None);
        assert_eq!(*groups.kernel.opened.borrow(), [(Event::PageFaults, None, true)]);
        assert!(refused.is_empty());
    }

    #[test]
    fn an_event_that_is_asked_for_twice_is_counted_once() {
        let (mut groups, _) = Groups::open(made(), &[Event::Cycles, Event::Cycles], None, None);
        assert_eq!(groups.count(|| ()).counts.len(), 1);
    }

    #[test]
    fn descriptors_close_with_the_counters() {
        use std::os::fd::AsRawFd;
        let (counters, _) = Counters::open(&[Event::PageFaults], &Machine::detect());
        let open: Vec<i32> = counters.groups.handles().map(AsRawFd::as_raw_fd).collect();
        let target = |fd: &i32| fs::read_link(format!("/proc/self/fd/{fd}")).ok();
        assert!(
            open.iter().all(|fd| target(fd).is_some_and(|to| to.to_string_lossy().contains("perf_event")))
        );
        drop(counters);
    }
}

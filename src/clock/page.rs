//! What does the page of a perf event say the counter is? The kernel's own protocol, over whatever holds the page's fields.

/// The fields of `struct perf_event_mmap_page` (perf_event_open(2)) that reading a counter needs, each as it is right now.
pub(super) trait EventPage {
    /// `lock`: changes whenever the kernel changes the page.
    fn sequence(&self) -> u32;
    /// `capabilities`: bit 2 says that user mode may use RDPMC.
    fn capabilities(&self) -> u64;
    /// `index`: the counter's number plus one; 0 while the event is on no counter.
    fn index(&self) -> u32;
    /// `offset`: what to add to the counter.
    fn offset(&self) -> i64;
    /// `pmc_width`: how many bits the counter has.
    fn width(&self) -> u16;
    /// RDPMC. Only called with a number that the page has just called valid.
    fn counter(&self, number: u32) -> u64;
}

/// `cap_user_rdpmc`.
const CAP_USER_RDPMC: u64 = 1 << 2;
/// A page that changes each time is not being changed by the kernel.
const TRIES: usize = 64;

/// The event's count, or `None` where user mode may not read it or the event is on no counter now: repeat while the sequence count
/// changes, extend the counter by its width, add the offset.
#[inline]
pub(super) fn count(page: &impl EventPage) -> Option<u64> {
    for _ in 0..TRIES {
        let sequence = page.sequence();
        let (capabilities, index) = (page.capabilities(), page.index());
        let (offset, width) = (page.offset(), u32::from(page.width()));
        if capabilities & CAP_USER_RDPMC == 0 || index == 0 || !(1..=64).contains(&width) {
            // Only if that is what the page says, and not something in between two states.
            if page.sequence() == sequence {
                return None;
            }
            continue;
        }
        let raw = page.counter(index - 1);
        if page.sequence() == sequence {
            let extended = ((raw << (64 - width)) as i64) >> (64 - width);
            return Some(offset.wrapping_add(extended) as u64);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// A page that goes through states: each reading of the counter moves on to the next, as if the kernel had stepped in.
    struct Fake {
        states: Vec<State>,
        at: Cell<usize>,
        asked: RefCell<Vec<u32>>,
        restless: bool,
        sequence: Cell<u32>,
    }

    #[derive(Clone, Copy)]
    struct State {
        capabilities: u64,
        index: u32,
        offset: i64,
        width: u16,
        raw: u64,
    }

    const PLAIN: State = State { capabilities: 4, index: 1, offset: 1000, width: 48, raw: 5 };

    impl Fake {
        fn new(states: &[State]) -> Self {
            Self {
                states: states.to_vec(),
                at: Cell::new(0),
                asked: RefCell::new(Vec::new()),
                restless: false,
                sequence: Cell::new(2),
            }
        }
        fn state(&self) -> State {
            self.states[self.at.get().min(self.states.len() - 1)]
        }
    }

    impl EventPage for Fake {
        fn sequence(&self) -> u32 {
            if self.restless {
                self.sequence.set(self.sequence.get().wrapping_add(2));
            }
            self.sequence.get()
        }
        fn capabilities(&self) -> u64 {
            self.state().capabilities
        }
        fn index(&self) -> u32 {
            self.state().index
        }
        fn offset(&self) -> i64 {
            self.state().offset
        }
        fn width(&self) -> u16 {
            self.state().width
        }
        fn counter(&self, number: u32) -> u64 {
            self.asked.borrow_mut().push(number);
            let raw = self.state().raw;
            if self.at.get() + 1 < self.states.len() {
                self.at.set(self.at.get() + 1);
                self.sequence.set(self.sequence.get().wrapping_add(2));
            }
            raw
        }
    }

    #[test]
    fn a_count_is_offset_plus_counter() {
        let page = Fake::new(&[PLAIN]);
        assert_eq!(count(&page), Some(1005));
        assert_eq!(*page.asked.borrow(), [0], "the index is one more than the counter's number");
    }

    #[test]
    fn a_page_that_changes_during_the_read_is_read_again() {
        // The event moved to another counter while it was read: the first reading mixes two states.
        let page = Fake::new(&[PLAIN, State { index: 3, offset: 2000, raw: 7, ..PLAIN }]);
        assert_eq!(count(&page), Some(2007));
        assert_eq!(*page.asked.borrow(), [0, 2]);
    }

    #[test]
    fn a_page_that_never_rests_gives_nothing_and_ends() {
        let page = Fake { restless: true, ..Fake::new(&[PLAIN]) };
        assert_eq!(count(&page), None);
        assert_eq!(page.asked.borrow().len(), TRIES);
    }

    #[test]
    fn no_counter_is_read_where_the_event_is_on_none_or_user_mode_may_not() {
        for state in [
            State { index: 0, ..PLAIN },
            State { capabilities: 0, ..PLAIN },
            State { capabilities: !4, ..PLAIN },
            State { width: 0, ..PLAIN },
            State { width: 65, ..PLAIN },
        ] {
            let page = Fake::new(&[state]);
            assert_eq!(count(&page), None);
            assert!(page.asked.borrow().is_empty(), "RDPMC there would kill the process");
        }
    }

    #[test]
    fn a_counter_of_48_bits_wraps_without_a_jump() {
        let at = |raw: u64| count(&Fake::new(&[State { raw, offset: 1 << 47, ..PLAIN }])).unwrap();
        let (before, after) = (at((1 << 47) - 1), at(1 << 47));
        // The kernel starts a counter below zero and moves the offset when it overflows: across the sign of its width a count falls by 2^48,
        // which the offset makes up for.
        assert_eq!(before.wrapping_sub(after), (1 << 48) - 1);
        let below = count(&Fake::new(&[State { raw: (1 << 48) - 3, offset: 10, ..PLAIN }])).unwrap();
        let above = count(&Fake::new(&[State { raw: 2, offset: 10, ..PLAIN }])).unwrap();
        assert_eq!((below, above), (7, 12), "from -3 to 2 are five events");
        let whole = count(&Fake::new(&[State { raw: u64::MAX, width: 64, offset: 3, ..PLAIN }]));
        assert_eq!(whole, Some(2));
        // Bits above the width are not the counter's.
        assert_eq!(count(&Fake::new(&[State { raw: 0xffff << 48 | 9, ..PLAIN }])), Some(1009));
    }
}

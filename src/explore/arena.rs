//! Does the layout of the same nodes matter? One list, placed in memory in several ways; nothing else changes.

use super::permutation::shuffled;
use crate::error::{Error, ErrorKind, Result};

/// Where the nodes of a list lie, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// One after the other: what a prefetcher likes best.
    Sequential,
    /// One before the other.
    Reverse,
    /// Every so many slots, then the slots between, until all are used: `Strided(8)` of 8-byte nodes touches a new line each.
    Strided(usize),
    /// Random, by this seed: what a heap looks like after a while.
    Shuffled(u64),
}

/// `sequential`, `reverse`, `strided 8`, `shuffled`.
impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sequential => f.pad("sequential"),
            Self::Reverse => f.pad("reverse"),
            Self::Strided(step) => f.pad(&format!("strided {step}")),
            Self::Shuffled(_) => f.pad("shuffled"),
        }
    }
}

impl Placement {
    /// The slot of each of `count` nodes, in the order of the list.
    ///
    /// # Errors
    ///
    /// `Usage` for a stride of 0.
    ///
    /// ```
    /// use fencepost::explore::Placement;
    /// assert_eq!(Placement::Strided(2).slots(5)?, [0, 2, 4, 1, 3]);
    /// assert_eq!(Placement::Reverse.slots(3)?, [2, 1, 0]);
    /// # Ok::<(), fencepost::Error>(())
    /// ```
    pub fn slots(self, count: usize) -> Result<Vec<usize>> {
        Ok(match self {
            Self::Sequential => (0..count).collect(),
            Self::Reverse => (0..count).rev().collect(),
            Self::Strided(0) => {
                return Err(Error::new(ErrorKind::Usage, "a stride is 0 slots")
                    .because("all nodes would lie in one slot")
                    .remedy("give a stride of at least 1"));
            }
            Self::Strided(step) => {
                (0..step.min(count)).flat_map(|first| (first..count).step_by(step)).collect()
            }
            Self::Shuffled(seed) => shuffled(count, seed),
        })
    }
}

/// A value that fills a cache line of its own, for arenas of one node a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub struct Line<T>(pub T);

/// A node: a value and the slot of the next one.
#[derive(Clone, Debug)]
struct Node<T> {
    value: T,
    next: usize,
}

/// A linked list whose nodes lie in one block, in a placement of your choice. The list is the same whatever the placement:
/// walks see the same values in the same order, through the same instructions.
///
/// ```
/// use fencepost::explore::{Arena, Placement};
/// for placement in [Placement::Sequential, Placement::Reverse, Placement::Strided(3), Placement::Shuffled(1)] {
///     let arena = Arena::new(0..10u64, placement)?;
///     assert!(arena.iter().copied().eq(0..10));
/// }
/// # Ok::<(), fencepost::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Arena<T> {
    nodes: Vec<Node<T>>,
    first: usize,
    placement: Placement,
}

impl<T> Arena<T> {
    /// The list of `values`, placed so.
    ///
    /// # Errors
    ///
    /// `Usage` for no values, and for a stride of 0.
    pub fn new(values: impl IntoIterator<Item = T>, placement: Placement) -> Result<Self> {
        let mut values: Vec<Option<T>> = values.into_iter().map(Some).collect();
        if values.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "an arena has no nodes")
                .because("there is nothing to place and to walk through")
                .remedy("give at least one value"));
        }
        let slots = placement.slots(values.len())?;
        // The node that each slot holds: the inverse of where each node lies.
        let mut held = vec![0; slots.len()];
        for (node, slot) in slots.iter().enumerate() {
            held[*slot] = node;
        }
        let mut nodes = Vec::with_capacity(slots.len());
        for node in held {
            let next = slots[(node + 1) % slots.len()];
            nodes.extend(values[node].take().map(|value| Node { value, next }));
        }
        Ok(Self { nodes, first: slots[0], placement })
    }

    /// How many nodes there are; at least one.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The bytes that a walk goes through.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.nodes.as_slice()) as u64
    }

    /// Where the nodes lie.
    pub fn placement(&self) -> Placement {
        self.placement
    }

    /// The slot of the list's first node: the seed for a chain of [`next`](Self::next).
    pub fn first(&self) -> usize {
        self.first
    }

    /// The slot after `slot`; after the last node comes the first. A number that is no slot gives the first, too.
    ///
    /// As a chain, `lab.latency(arena.first(), |slot| arena.next(slot))`, this is a load-to-use latency plus what a bounds check
    /// and the address cost.
    #[inline(always)]
    pub fn next(&self, slot: usize) -> usize {
        self.nodes.get(slot).map_or(self.first, |node| node.next)
    }

    /// The value in `slot`, if there is such a slot.
    #[inline(always)]
    pub fn value(&self, slot: usize) -> Option<&T> {
        self.nodes.get(slot).map(|node| &node.value)
    }

    /// The values in the order of the list, found by following the links.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut slot = self.first;
        (0..self.nodes.len()).filter_map(move |_| {
            let node = self.nodes.get(slot)?;
            slot = node.next;
            Some(&node.value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Placement; 6] = [
        Placement::Sequential,
        Placement::Reverse,
        Placement::Strided(1),
        Placement::Strided(7),
        Placement::Strided(1000),
        Placement::Shuffled(3),
    ];

    #[test]
    fn every_placement_uses_every_slot_once_and_keeps_the_list() {
        for placement in ALL {
            for count in [1, 2, 64, 100] {
                let mut slots = placement.slots(count).unwrap();
                slots.sort_unstable();
                assert!(slots.iter().copied().eq(0..count), "{placement} of {count}");
                let arena = Arena::new((0..count).map(Line), placement).unwrap();
                assert!(arena.iter().map(|line| line.0).eq(0..count), "{placement} of {count}");
                assert_eq!(arena.bytes(), count as u64 * 128);
                let mut slot = arena.first();
                for _ in 0..count {
                    slot = arena.next(slot);
                }
                assert_eq!(slot, arena.first(), "the chain closes after all nodes");
            }
        }
    }

    #[test]
    fn placements_are_what_they_are_called() {
        let addresses = |placement| {
            let arena = Arena::new(0..64u64, placement).unwrap();
            arena.iter().map(|value| std::ptr::from_ref(value) as usize).collect::<Vec<_>>()
        };
        assert!(addresses(Placement::Sequential).windows(2).all(|pair| pair[1] == pair[0] + 16));
        assert!(addresses(Placement::Reverse).windows(2).all(|pair| pair[0] == pair[1] + 16));
        assert_eq!(
            addresses(Placement::Strided(8)).windows(2).filter(|pair| pair[1] == pair[0] + 128).count(),
            56
        );
        assert_ne!(addresses(Placement::Shuffled(1)), addresses(Placement::Sequential));
    }

    #[test]
    fn nothing_to_place_and_a_stride_of_nothing_are_refused() {
        assert_eq!(Arena::<u8>::new([], Placement::Reverse).unwrap_err().kind(), ErrorKind::Usage);
        assert!(Arena::new([1], Placement::Strided(0)).unwrap_err().to_string().contains("at least 1"));
    }
}

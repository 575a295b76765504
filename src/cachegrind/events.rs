//! Which events does Valgrind count, and what remains of them when a calibration is taken off?

/// What is simulated, as Valgrind names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// Instructions executed.
    Ir,
    /// Instruction fetches that missed the first level.
    I1mr,
    /// Instruction fetches that missed the last level.
    ILmr,
    /// Data reads.
    Dr,
    /// Data reads that missed the first level.
    D1mr,
    /// Data reads that missed the last level.
    DLmr,
    /// Data writes.
    Dw,
    /// Data writes that missed the first level.
    D1mw,
    /// Data writes that missed the last level.
    DLmw,
    /// Conditional branches executed.
    Bc,
    /// Conditional branches mispredicted.
    Bcm,
    /// Indirect branches executed.
    Bi,
    /// Indirect branches mispredicted.
    Bim,
}

impl Event {
    /// All of them; the first nine are those of the caches.
    pub const ALL: [Event; 13] = [
        Event::Ir,
        Event::I1mr,
        Event::ILmr,
        Event::Dr,
        Event::D1mr,
        Event::DLmr,
        Event::Dw,
        Event::D1mw,
        Event::DLmw,
        Event::Bc,
        Event::Bcm,
        Event::Bi,
        Event::Bim,
    ];

    /// Its name in Valgrind's files and in the record.
    pub const fn name(self) -> &'static str {
        match self {
            Event::Ir => "Ir",
            Event::I1mr => "I1mr",
            Event::ILmr => "ILmr",
            Event::Dr => "Dr",
            Event::D1mr => "D1mr",
            Event::DLmr => "DLmr",
            Event::Dw => "Dw",
            Event::D1mw => "D1mw",
            Event::DLmw => "DLmw",
            Event::Bc => "Bc",
            Event::Bcm => "Bcm",
            Event::Bi => "Bi",
            Event::Bim => "Bim",
        }
    }

    /// Whether it is something that the program does, and not what a simulated cache or predictor makes of it.
    pub const fn is_own(self) -> bool {
        matches!(self, Event::Ir | Event::Dr | Event::Dw | Event::Bc | Event::Bi)
    }

    /// The event of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }
}

/// How often each event came. What was not counted is known to be so: see [`has`](Self::has).
///
/// ```
/// use fencepost::cachegrind::{Event, Events};
/// let whole = Events::from([(Event::Ir, 363_644), (Event::Dr, 10)]);
/// let empty = Events::from([(Event::Ir, 361_878), (Event::Dr, 12)]);
/// let net = whole.without(&empty);
/// assert_eq!((net.get(Event::Ir), net.get(Event::Dr)), (1766, 0)); // never below 0
/// assert!(!net.has(Event::Bc));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    counts: [Option<u64>; Event::ALL.len()],
}

impl Events {
    /// How often it came; 0 where it was not counted.
    pub fn get(&self, event: Event) -> u64 {
        self.counts.get(event as usize).copied().flatten().unwrap_or(0)
    }

    /// Whether it was counted.
    pub fn has(&self, event: Event) -> bool {
        self.counts.get(event as usize).is_some_and(Option::is_some)
    }

    /// Whether the caches were simulated.
    pub fn has_caches(&self) -> bool {
        self.has(Event::Dr) && self.has(Event::I1mr)
    }

    /// Whether branches were predicted.
    pub fn has_branches(&self) -> bool {
        self.has(Event::Bcm)
    }

    /// Notes how often it came.
    pub fn set(&mut self, event: Event, count: u64) {
        if let Some(place) = self.counts.get_mut(event as usize) {
            *place = Some(count);
        }
    }

    /// Those that were counted.
    pub fn iter(&self) -> impl Iterator<Item = (Event, u64)> + '_ {
        Event::ALL.into_iter().zip(self.counts).filter_map(|(event, count)| Some((event, count?)))
    }

    /// These without `other`, each at least 0.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        self.iter().map(|(event, count)| (event, count.saturating_sub(other.get(event)))).collect()
    }

    /// Branches mispredicted, of both kinds.
    pub fn mispredictions(&self) -> u64 {
        self.get(Event::Bcm).saturating_add(self.get(Event::Bim))
    }

    /// Branches executed, of both kinds.
    pub fn branches(&self) -> u64 {
        self.get(Event::Bc).saturating_add(self.get(Event::Bi))
    }
}

impl FromIterator<(Event, u64)> for Events {
    fn from_iter<I: IntoIterator<Item = (Event, u64)>>(counts: I) -> Self {
        let mut events = Self::default();
        for (event, count) in counts {
            events.set(event, count);
        }
        events
    }
}

impl<const N: usize> From<[(Event, u64); N]> for Events {
    fn from(counts: [(Event, u64); N]) -> Self {
        counts.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_its_own_place_and_name() {
        for (at, event) in Event::ALL.into_iter().enumerate() {
            assert_eq!((event as usize, Event::from_name(event.name())), (at, Some(event)));
        }
        assert_eq!(Event::from_name("ir"), None);
    }

    #[test]
    fn nothing_wraps() {
        let most = Events::from([(Event::Ir, u64::MAX), (Event::Bcm, 3), (Event::Bim, u64::MAX)]);
        let one = Events::from([(Event::Ir, 1), (Event::Bcm, 4)]);
        assert_eq!(one.without(&most).get(Event::Ir), 0);
        assert_eq!(most.mispredictions(), u64::MAX);
    }
}

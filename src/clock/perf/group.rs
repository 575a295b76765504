//! How many events were there? The answer to one read of a group, scaled where the group shared the PMU.

/// How often an event happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Count {
    /// How often; an estimate where the share is below 1.
    pub value: f64,
    /// Share of the time in which it was counted, 0 to 1. Below 1 the kernel multiplexed, and the value is scaled up by it.
    pub share: f64,
}

impl Count {
    /// It was counted for only part of the time.
    pub fn is_scaled(self) -> bool {
        self.share < 1.0
    }
}

/// The counts in `words` (number of events, time enabled, time running, counts); `None` where they do not hold `events` counts, or the
/// group was never on the PMU.
pub(super) fn counts(words: &[u64], events: usize) -> Option<Vec<Count>> {
    let [number, enabled, running, counts @ ..] = words else { return None };
    if usize::try_from(*number) != Ok(events) || counts.len() < events || *running == 0 {
        return None;
    }
    let share = (*running as f64 / (*enabled).max(1) as f64).min(1.0);
    Some(counts.iter().take(events).map(|count| Count { value: *count as f64 / share, share }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_ran_all_the_time_is_taken_as_it_is() {
        let found = counts(&[2, 1000, 1000, 5, 7, 99], 2).unwrap();
        assert_eq!(found, [Count { value: 5.0, share: 1.0 }, Count { value: 7.0, share: 1.0 }]);
        assert!(!found[0].is_scaled());
    }

    #[test]
    fn a_multiplexed_group_is_scaled_and_says_so() {
        let found = counts(&[1, 1000, 250, 5], 1).unwrap();
        assert_eq!(found, [Count { value: 20.0, share: 0.25 }]);
        assert!(found[0].is_scaled());
    }

    #[test]
    fn what_never_ran_or_makes_no_sense_is_no_count() {
        for words in [&[1, 1000, 0, 0][..], &[2, 1, 1, 5], &[1, 1, 1], &[1, 1], &[], &[u64::MAX, 1, 1, 1]] {
            assert_eq!(counts(words, 1), None, "{words:?}");
        }
    }
}

//! How much time did the hypervisor take from a CPU? From /proc/stat.

/// What /proc/stat says of one logical CPU, in hundredths of a second since boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steal {
    /// Time in which the CPU had work and the hypervisor ran something else.
    pub stolen: u64,
    /// All time: busy, idle, waiting and stolen.
    pub total: u64,
}

impl Steal {
    /// The stolen share of all time, 0 to 1.
    pub fn share(self) -> f64 {
        if self.total == 0 { 0.0 } else { self.stolen as f64 / self.total as f64 }
    }
}

/// What the text of /proc/stat says of logical CPU `cpu`; `None` where it has no such line or the line makes no sense.
///
/// The eighth number after the CPU's name is the stolen time (proc_stat(5)). The two that follow are contained in the first two.
///
/// ```
/// let stat = "cpu  300 0 100 600 0 0 0 10 0 0\ncpu0 300 0 100 590 0 0 0 10 0 0\n";
/// let steal = fencepost::machine::parse_steal(stat, 0).expect("CPU 0 has a line");
/// assert_eq!((steal.stolen, steal.share()), (10, 0.01));
/// ```
pub fn parse_steal(stat: &str, cpu: usize) -> Option<Steal> {
    const COLUMN: usize = 7;
    let name = format!("cpu{cpu}");
    let mut words = stat.lines().map(str::split_whitespace).find_map(|mut words| {
        let found = words.next() == Some(name.as_str());
        found.then_some(words)
    })?;
    let mut total: u64 = 0;
    for column in 0..=COLUMN {
        let number: u64 = words.next()?.parse().ok()?;
        total = total.saturating_add(number);
        if column == COLUMN {
            return Some(Steal { stolen: number, total });
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_is_read_from_the_right_column_and_cpu() {
        let stat =
            "cpu  1 2 3 4 5 6 7 88 0 0\ncpu1 1 2 3 4 5 6 7 80 9 9\ncpu11 1 2 3 4 5 6 7 8 0 0\nintr 5\n";
        assert_eq!(parse_steal(stat, 1), Some(Steal { stolen: 80, total: 108 }));
        assert_eq!(parse_steal(stat, 11), Some(Steal { stolen: 8, total: 36 }));
        assert_eq!(parse_steal(stat, 0), None);
        assert_eq!(parse_steal("cpu0 1 2", 0), None);
        assert_eq!(parse_steal("cpu0 1 2 3 4 5 6 7 -8", 0), None);
        assert_eq!(parse_steal("", 0), None);
    }

    #[test]
    fn enormous_times_saturate_and_no_time_has_no_share() {
        let full = format!("cpu0{}", format!(" {}", u64::MAX).repeat(8));
        assert_eq!(parse_steal(&full, 0).map(|steal| (steal.total, steal.share())), Some((u64::MAX, 1.0)));
        assert_eq!(Steal { stolen: 0, total: 0 }.share(), 0.0);
    }
}

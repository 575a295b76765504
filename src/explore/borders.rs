//! Where does one level end and the next begin? Change points of a ladder of costs by working set.

/// A run of sizes that cost about the same.
#[derive(Clone, Debug, PartialEq)]
pub struct Plateau {
    /// The first of its points.
    pub first: usize,
    /// The last of its points.
    pub last: usize,
    /// What a point of it costs in the middle of them.
    pub cost: f64,
}

/// Between which sizes the cost rises from one plateau to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Border {
    /// The largest size before the cost is nearer to the next plateau's (by ratio) than to its own: where the level ends.
    pub bytes: u64,
    /// The largest size that still costs what its plateau does. Where it is much less than `bytes`, the rise is gradual: the level is not
    /// used evenly, as where a hypervisor scatters a guest's memory.
    pub flat_until: u64,
    /// What the plateau before costs.
    pub before: f64,
    /// What the plateau after costs.
    pub after: f64,
}

/// Plateaus whose costs are closer than this are one: a level's own cost rises by some half towards its end (misses of a TLB, sets that
/// are full), and from one level to the next it doubles at least on every x86-64 CPU.
const NEXT_LEVEL: f64 = 1.6;
/// How far above its plateau a point may cost and still belong to it.
const STILL: f64 = 1.15;
/// What one more plateau has to explain: of the squared distances in powers of two, about two points that are off by a quarter.
const PENALTY: f64 = 0.2;

/// The plateaus of `costs`, one a size of growing sizes, and the borders between them in the same order.
///
/// The logarithms of the costs are cut into runs by least squares, with a price for each cut (Jackson et al., optimal partitioning);
/// then runs that are no further apart than half as much again, and runs that only lead from one plateau to the next, are joined.
/// Costs that are not positive numbers cut nothing: without any others there are no plateaus.
///
/// ```
/// use fencepost::explore::plateaus;
/// let sizes: Vec<u64> = (10..20).map(|power| 1 << power).collect();
/// let costs = [4.0, 4.0, 4.0, 4.0, 4.1, 4.0, 12.0, 14.0, 14.0, 14.1];
/// let (plateaus, borders) = plateaus(&sizes, &costs);
/// assert_eq!(plateaus.len(), 2);
/// assert_eq!(borders[0].flat_until, 32 << 10);
/// assert_eq!((borders[0].bytes, borders[0].before, borders[0].after), (32 << 10, 4.0, 14.0));
/// ```
pub fn plateaus(sizes: &[u64], costs: &[f64]) -> (Vec<Plateau>, Vec<Border>) {
    let count = sizes.len().min(costs.len());
    let known: Vec<(u64, f64)> = sizes
        .iter()
        .zip(costs)
        .take(count)
        .map(|(size, cost)| (*size, *cost))
        .filter(|(_, cost)| *cost > 0.0 && cost.is_finite())
        .collect();
    if known.len() < count || known.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let logs: Vec<f64> = known.iter().map(|(_, cost)| cost.log2()).collect();
    let mut runs = joined(cut(&logs), &logs);
    runs = without_slopes(runs, &logs);
    runs = joined(runs, &logs);
    let plateaus: Vec<Plateau> = runs
        .iter()
        .map(|(first, last)| Plateau {
            first: *first,
            last: *last,
            cost: middle(&logs[*first..=*last]).exp2(),
        })
        .collect();
    let borders = plateaus
        .windows(2)
        .map(|pair| {
            let (before, after) = (pair[0].cost, pair[1].cost);
            let half = (before * after).sqrt();
            // What is noise before the rise does not end a plateau, hence the last point that is nearer to the first one.
            let nearer = (pair[0].first..pair[1].last).rev().find(|at| known[*at].1 <= half);
            let risen = nearer.map_or(pair[1].first, |at| at + 1);
            let flat = (pair[0].first..risen).rev().find(|at| known[*at].1 <= before * STILL);
            Border {
                bytes: known[risen - 1].0,
                flat_until: known[flat.unwrap_or(pair[0].first)].0,
                before,
                after,
            }
        })
        .collect();
    (plateaus, borders)
}

/// Cuts `logs` into runs: the sum of squared distances from each run's mean, plus the penalty for each run, is least.
fn cut(logs: &[f64]) -> Vec<(usize, usize)> {
    let count = logs.len();
    // Sums up to each point, and of their squares.
    let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
    for log in logs {
        sums.push(sums[sums.len() - 1] + log);
        squares.push(squares[squares.len() - 1] + log * log);
    }
    let cost = |from: usize, to: usize| {
        let sum = sums[to] - sums[from];
        (squares[to] - squares[from] - sum * sum / (to - from) as f64).max(0.0)
    };
    let mut best = vec![0.0; count + 1];
    let mut begins = vec![0; count + 1];
    for to in 1..=count {
        (begins[to], best[to]) = (0..to)
            .map(|from| (from, best[from] + cost(from, to) + PENALTY))
            .min_by(|one, other| one.1.total_cmp(&other.1))
            .unwrap_or((0, f64::INFINITY));
    }
    let mut runs = Vec::new();
    let mut to = count;
    while to > 0 {
        runs.push((begins[to], to - 1));
        to = begins[to];
    }
    runs.reverse();
    runs
}

/// Joins neighbours that cost about the same, and what costs less than what comes before it: a larger set is never cheaper.
fn joined(runs: Vec<(usize, usize)>, logs: &[f64]) -> Vec<(usize, usize)> {
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for run in runs {
        match kept.last_mut() {
            Some(last)
                if middle(&logs[run.0..=run.1]) - middle(&logs[last.0..=last.1]) < NEXT_LEVEL.log2() =>
            {
                last.1 = run.1;
            }
            _ => kept.push(run),
        }
    }
    kept
}

/// Gives runs that only lead upwards from one plateau to the next to the one that they are nearer to: runs of one point, and short ones
/// inside of which the cost rises by as much as between levels.
fn without_slopes(runs: Vec<(usize, usize)>, logs: &[f64]) -> Vec<(usize, usize)> {
    let mut runs = runs;
    let mut at = 1;
    while at + 1 < runs.len() {
        let (first, last) = runs[at];
        let rises = logs[last] - logs[first] > 0.5 * NEXT_LEVEL.log2() && last - first < 3;
        if first == last || rises {
            let here = middle(&logs[first..=last]);
            let before = middle(&logs[runs[at - 1].0..=runs[at - 1].1]);
            let after = middle(&logs[runs[at + 1].0..=runs[at + 1].1]);
            if here - before < after - here {
                runs[at - 1].1 = last;
            } else {
                runs[at + 1].0 = first;
            }
            runs.remove(at);
        } else {
            at += 1;
        }
    }
    runs
}

fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    crate::order::sort(&mut sorted);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a set costs on a machine with these caches, of which each holds what fits and a random share of what does not.
    fn modelled(caches: &[(u64, f64)], ram: f64, bytes: u64) -> f64 {
        let mut cost = 0.0;
        let mut reached = 1.0;
        for (size, latency) in caches {
            let hits = (*size as f64 / bytes as f64).min(1.0).powi(3);
            cost += reached * hits * latency;
            reached *= 1.0 - hits;
        }
        cost + reached * ram
    }

    fn sizes() -> Vec<u64> {
        (10..28).flat_map(|power| [1u64 << power, 3u64 << (power - 1)]).collect()
    }

    #[test]
    fn known_caches_are_found_within_a_power_of_two_through_noise() {
        let machines: [(&[(u64, f64)], f64); 4] = [
            (&[(48 << 10, 5.0), (2 << 20, 15.0), (24 << 20, 75.0)], 400.0),
            (&[(32 << 10, 4.0), (512 << 10, 13.0), (16 << 20, 47.0)], 300.0),
            (&[(32 << 10, 4.0), (256 << 10, 12.0), (8 << 20, 40.0)], 230.0),
            (&[(32 << 10, 4.0), (1 << 20, 14.0), (32 << 20, 50.0)], 350.0),
        ];
        for (caches, ram) in machines {
            for seed in 0..50u64 {
                let mut random = oorandom::Rand64::new(u128::from(seed));
                let costs: Vec<f64> = sizes()
                    .iter()
                    .map(|bytes| modelled(caches, ram, *bytes) * (1.0 + 0.06 * (random.rand_float() - 0.5)))
                    .collect();
                let (plateaus, borders) = plateaus(&sizes(), &costs);
                assert_eq!(plateaus.len(), caches.len() + 1, "{caches:?} {seed}: {costs:.1?}");
                for (border, (size, _)) in borders.iter().zip(caches) {
                    let off = (border.bytes as f64 / *size as f64).log2().abs();
                    assert!(off < 1.0, "{caches:?} seed {seed}: {border:?}");
                }
            }
        }
    }

    #[test]
    fn a_flat_ladder_has_no_border_and_neither_has_nonsense() {
        let sizes = sizes();
        let (flat, borders) = plateaus(&sizes, &vec![4.0; sizes.len()]);
        assert_eq!((flat.len(), borders.len()), (1, 0));
        for bad in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
            let mut costs = vec![4.0; sizes.len()];
            costs[3] = bad;
            assert!(plateaus(&sizes, &costs).0.is_empty());
        }
        assert!(plateaus(&[], &[]).0.is_empty());
    }

    /// A guest of KVM on Raptor Cove whose memory the host backs with scattered 4 KiB pages, and who gets a small part of a large L3.
    #[test]
    fn a_gradual_rise_ends_its_level_halfway() {
        let costs = [
            5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.00, 5.02, 16.0, 16.0, 16.0, 16.0,
            16.0, 16.0, 17.8, 19.6, 20.5, 29.1, 67.3, 94.3, 102.0, 120.0, 197.0, 386.0, 389.0, 392.0, 396.0,
            400.0, 402.0, 430.0, 491.0, 420.0, 424.0,
        ];
        let sizes: Vec<u64> =
            sizes().into_iter().chain([1 << 28]).filter(|bytes| *bytes != 3 << 27).collect();
        assert_eq!(sizes.len(), costs.len());
        let (found, borders) = plateaus(&sizes, &costs);
        assert_eq!(found.len(), 4, "{found:?}");
        let ends: Vec<u64> = borders.iter().map(|border| border.bytes).collect();
        assert_eq!(ends, [48 << 10, 3 << 19, 8 << 20], "{borders:?}");
        assert_eq!(borders[1].flat_until, 512 << 10);
    }

    #[test]
    fn one_disturbed_point_is_no_level() {
        let sizes = sizes();
        let costs: Vec<f64> = (0..sizes.len())
            .map(|at| match at {
                5 => 11.0,
                0..12 => 4.0,
                _ => 14.0,
            })
            .collect();
        let (found, borders) = plateaus(&sizes, &costs);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(borders[0].bytes, sizes[11]);
    }
}

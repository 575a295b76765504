//! Which choice costs how much, and do choices depend on one another? Main effects and interactions of a factorial experiment.

use crate::error::{Error, ErrorKind, Result};

/// What one combination of levels costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The level of each factor, by number.
    pub levels: Vec<usize>,
    /// Its cost.
    pub cost: f64,
    /// Half the width of its interval.
    pub margin: f64,
}

/// What changes with one choice, or with two beyond what each changes alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// The factors and the levels that they are changed to, by number; one for a main effect, two for an interaction.
    pub of: Vec<(usize, usize)>,
    /// What it adds to the cost, in the mean over the other factors' levels.
    pub adds: f64,
    /// Lower end of its interval.
    pub lo: f64,
    /// Upper end of its interval.
    pub hi: f64,
    /// By what the cost is multiplied, in the geometric mean; `None` where a cost is not above 0.
    pub factor: Option<f64>,
    /// Over how many settings of the other factors this is the mean.
    pub settings: usize,
}

impl Effect {
    /// The interval does not hold 0.
    pub fn is_told(&self) -> bool {
        self.lo > 0.0 || self.hi < 0.0
    }
}

/// What an experiment says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Effects {
    /// Of each factor's further levels against its first, in the mean over all settings of the others.
    pub main: Vec<Effect>,
    /// Of each pair of factors: what two changes together add beyond the sum of each.
    pub interactions: Vec<Effect>,
    /// What the experiment cannot tell, and why.
    pub warnings: Vec<String>,
}

/// Main effects and two-factor interactions of `cells`; `names` are the factors', `counts` their numbers of levels.
///
/// Effects are differences of costs against each factor's first level, so in a 2x2 experiment with costs `y`: the main effect of the first
/// factor is ((y10 - y00) + (y11 - y01)) / 2, and the interaction (y11 - y10) - (y01 - y00). Cells that are missing are told of; effects
/// are means over the settings that are there.
///
/// # Errors
///
/// `Usage` where a cell's levels do not fit the factors, or there are two of one combination.
///
/// ```
/// use fencepost::explore::{Cell, effects};
/// let cell = |a, b, cost| Cell { levels: vec![a, b], cost, margin: 0.0 };
/// let cells = [cell(0, 0, 12.0), cell(0, 1, 20.0), cell(1, 0, 30.0), cell(1, 1, 50.0)];
/// let found = effects(&["container", "order"], &[2, 2], &cells)?;
/// assert_eq!(found.main[0].adds, 24.0);
/// assert_eq!(found.main[1].adds, 14.0);
/// assert_eq!(found.interactions[0].adds, 12.0);
/// # Ok::<(), fencepost::Error>(())
/// ```
pub fn effects(names: &[&str], counts: &[usize], cells: &[Cell]) -> Result<Effects> {
    check(names, counts, cells)?;
    let mut found = Effects::default();
    for factor in 0..counts.len() {
        for level in 1..counts[factor] {
            match contrast(cells, &[(factor, level)]) {
                Some(effect) => found.main.push(effect),
                None => found.warnings.push(format!(
                    "Level {level} of {} was never measured beside level 0 with all else the same: its effect cannot be told.",
                    names[factor]
                )),
            }
        }
        for other in factor + 1..counts.len() {
            for level in 1..counts[factor] {
                for beside in 1..counts[other] {
                    found.interactions.extend(contrast(cells, &[(factor, level), (other, beside)]));
                }
            }
        }
    }
    found.warnings.splice(0..0, confounded(names, counts, cells));
    let whole = counts.iter().fold(1usize, |product, count| product.saturating_mul(*count));
    if cells.len() < whole {
        found.warnings.push(format!(
            "{} of {whole} combinations were measured; effects are means over those.",
            cells.len()
        ));
    }
    if counts.len() > 2 {
        found.warnings.push(
            "Interactions of three and more factors are not told: they are part of the means.".to_owned(),
        );
    }
    Ok(found)
}

fn check(names: &[&str], counts: &[usize], cells: &[Cell]) -> Result<()> {
    let wrong = |what: String| {
        Err(Error::new(ErrorKind::Usage, what)
            .because("each cell of a factorial experiment is one combination of levels")
            .remedy("give each factor at least two levels and each combination once"))
    };
    if names.is_empty() || names.len() != counts.len() || counts.iter().any(|count| *count < 2) {
        return wrong(format!("factors {names:?} have {counts:?} levels"));
    }
    for (at, cell) in cells.iter().enumerate() {
        let fits = cell.levels.len() == counts.len()
            && cell.levels.iter().zip(counts).all(|(level, count)| level < count);
        if !fits || cells[..at].iter().any(|other| other.levels == cell.levels) {
            return wrong(format!("a cell has levels {:?}", cell.levels));
        }
    }
    Ok(())
}

fn at<'c>(cells: &'c [Cell], levels: &[usize]) -> Option<&'c Cell> {
    cells.iter().find(|cell| cell.levels == levels)
}

/// The mean, over all settings of the other factors that are there, of the cost with the changes less that without, alternating for two
/// changes. `None` where no setting has all the cells.
fn contrast(cells: &[Cell], changes: &[(usize, usize)]) -> Option<Effect> {
    let (mut sum, mut variance, mut logs, mut positive, mut settings) = (0.0, 0.0, 0.0, true, 0usize);
    // The settings of the other factors: those of the cells in which the changed factors are at their first level.
    for base in cells.iter().filter(|cell| changes.iter().all(|(factor, _)| cell.levels[*factor] == 0)) {
        let mut corners = Vec::new();
        for which in 0..1usize << changes.len() {
            let mut levels = base.levels.clone();
            for (bit, (factor, level)) in changes.iter().enumerate() {
                if which >> bit & 1 == 1 {
                    levels[*factor] = *level;
                }
            }
            let odd = (changes.len() as u32 - which.count_ones()) % 2 == 1;
            corners.push((at(cells, &levels), if odd { -1.0 } else { 1.0 }));
        }
        if corners.iter().any(|(cell, _)| cell.is_none_or(|cell| !cell.cost.is_finite())) {
            continue;
        }
        settings += 1;
        for (cell, sign) in corners {
            let Some(cell) = cell else { continue };
            sum += sign * cell.cost;
            variance += cell.margin * cell.margin;
            positive &= cell.cost > 0.0;
            logs += sign * cell.cost.ln();
        }
    }
    if settings == 0 {
        return None;
    }
    let count = settings as f64;
    let (adds, margin) = (sum / count, variance.sqrt() / count);
    Some(Effect {
        of: changes.to_vec(),
        adds,
        lo: adds - margin,
        hi: adds + margin,
        factor: positive.then(|| (logs / count).exp()),
        settings,
    })
}

/// Pairs of factors that were only changed together: a diagonal of the experiment.
fn confounded(names: &[&str], counts: &[usize], cells: &[Cell]) -> Vec<String> {
    let mut found = Vec::new();
    for one in 0..counts.len() {
        for other in one + 1..counts.len() {
            let pairs: Vec<(usize, usize)> =
                cells.iter().map(|cell| (cell.levels[one], cell.levels[other])).collect();
            let tied = |from: fn(&(usize, usize)) -> usize, to: fn(&(usize, usize)) -> usize| {
                pairs
                    .iter()
                    .all(|pair| pairs.iter().all(|with| from(pair) != from(with) || to(pair) == to(with)))
            };
            let varies = pairs.iter().any(|pair| *pair != pairs[0]);
            if varies && tied(|pair| pair.0, |pair| pair.1) && tied(|pair| pair.1, |pair| pair.0) {
                found.push(format!(
                    "Only a diagonal was measured: {} and {} always changed together, so a difference may be due to either or to both. \
                     Measure the other combinations.",
                    names[one], names[other]
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(levels: &[usize], cost: f64, margin: f64) -> Cell {
        Cell { levels: levels.to_vec(), cost, margin }
    }

    #[test]
    fn intervals_add_in_quadrature_and_tell_an_effect_from_none() {
        let cells = [
            cell(&[0, 0], 10.0, 0.1),
            cell(&[0, 1], 10.05, 0.1),
            cell(&[1, 0], 20.0, 0.1),
            cell(&[1, 1], 20.05, 0.1),
        ];
        let found = effects(&["a", "b"], &[2, 2], &cells).unwrap();
        assert!((found.main[0].adds - 10.0).abs() < 1e-9 && found.main[0].is_told());
        assert!((found.main[0].hi - found.main[0].adds - 0.1).abs() < 1e-9);
        assert!((found.main[0].factor.unwrap() - 2.0).abs() < 0.01);
        assert!(!found.main[1].is_told() && !found.interactions[0].is_told());
        assert!(found.warnings.is_empty());
    }

    #[test]
    fn three_factors_with_more_levels_give_all_effects() {
        // cost = 10 + 3 a + 5 b + 7 c + 2 a b
        let mut cells = Vec::new();
        for a in 0..3usize {
            for b in 0..2usize {
                for c in 0..2usize {
                    cells.push(cell(&[a, b, c], (10 + 3 * a + 5 * b + 7 * c + 2 * a * b) as f64, 0.0));
                }
            }
        }
        let found = effects(&["a", "b", "c"], &[3, 2, 2], &cells).unwrap();
        let adds: Vec<f64> = found.main.iter().map(|effect| effect.adds).collect();
        assert_eq!(adds, [4.0, 8.0, 7.0, 7.0]);
        let pair = |a: (usize, usize), b: (usize, usize)| {
            found.interactions.iter().find(|effect| effect.of == [a, b]).map(|effect| effect.adds)
        };
        assert_eq!(pair((0, 1), (1, 1)), Some(2.0));
        assert_eq!(pair((0, 2), (1, 1)), Some(4.0));
        assert_eq!(pair((0, 1), (2, 1)), Some(0.0));
        assert_eq!(found.main[0].settings, 4);
    }

    #[test]
    fn a_diagonal_is_warned_of_and_claims_nothing() {
        let found =
            effects(&["container", "order"], &[2, 2], &[cell(&[0, 0], 1.0, 0.0), cell(&[1, 1], 9.0, 0.0)])
                .unwrap();
        assert!(found.main.is_empty() && found.interactions.is_empty());
        assert!(
            found.warnings[0].contains("container and order always changed together"),
            "{:?}",
            found.warnings
        );
    }

    #[test]
    fn a_missing_corner_leaves_what_is_there_and_says_so() {
        let cells = [cell(&[0, 0], 1.0, 0.0), cell(&[0, 1], 2.0, 0.0), cell(&[1, 0], 4.0, 0.0)];
        let found = effects(&["a", "b"], &[2, 2], &cells).unwrap();
        assert_eq!((found.main[0].adds, found.main[1].adds), (3.0, 1.0));
        assert!(found.interactions.is_empty());
        assert!(found.warnings.iter().any(|warning| warning.starts_with("3 of 4 combinations")));
    }

    #[test]
    fn cells_that_do_not_fit_are_refused() {
        for cells in
            [vec![cell(&[0], 1.0, 0.0)], vec![cell(&[0, 2], 1.0, 0.0)], vec![cell(&[0, 0], 1.0, 0.0); 2]]
        {
            assert_eq!(effects(&["a", "b"], &[2, 2], &cells).unwrap_err().kind(), ErrorKind::Usage);
        }
        assert!(effects(&["a"], &[1], &[]).is_err());
        assert!(effects(&[], &[], &[]).is_err());
    }
}

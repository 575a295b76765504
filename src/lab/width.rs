//! May the published issue width be believed of this core? Not where the gauge outran it: then the model number is another core's.

use super::Lab;
use crate::clock::outruns;
use crate::record::{Finding, Severity};

impl Lab {
    /// Instructions that this core issues in a cycle at the most, if that is known.
    pub(super) fn issue_width(&self) -> Option<u8> {
        self.outrun().map_or_else(|| self.machine.issue_width(), |_| None)
    }

    /// The rate that the gauge has read and the published one, in NOPs a cycle, where the first cannot be of this design.
    fn outrun(&self) -> Option<(f64, f64)> {
        outrun(self.nops_per_cycle, self.machine.nops_per_cycle())
    }

    pub(super) fn width_finding(&self) -> Option<Finding> {
        let (seen, published) = self.outrun()?;
        Some(finding(&self.machine.name(), seen, published))
    }
}

fn outrun(seen: Option<f64>, published: Option<u8>) -> Option<(f64, f64)> {
    seen.zip(published.map(f64::from)).filter(|(seen, published)| outruns(*seen, *published))
}

fn finding(name: &str, seen: f64, published: f64) -> Finding {
    Finding {
        id: "issue_width".to_owned(),
        severity: Severity::Warning,
        value: format!("{seen:.2} NOPs a cycle, and {name} issues {published:.0}"),
        effect: "this is another core than its model number says, or one that fuses NOPs: the published width bounds no result \
                 here, and predictions and published figures may be of another core"
            .to_owned(),
        remedy: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_that_is_faster_than_its_design_is_another_one() {
        assert_eq!(outrun(Some(6.0), Some(4)), Some((6.0, 4.0)));
        assert_eq!(outrun(Some(6.01), Some(5)), Some((6.01, 5.0)));
        // Its own width, a sibling's share of it, and what is not known.
        for (seen, published) in
            [(Some(6.05), Some(6)), (Some(3.0), Some(6)), (Some(6.0), None), (None, Some(6))]
        {
            assert_eq!(outrun(seen, published), None, "{seen:?} {published:?}");
        }
        let finding = finding("Haswell", 6.0, 4.0);
        assert_eq!(finding.value, "6.00 NOPs a cycle, and Haswell issues 4");
    }
}

//! What do so many instructions a cycle mean? Read against the width of the core.

/// What `ipc` instructions a cycle say of a piece of code on a core that issues `width` a cycle, in one sentence.
///
/// Below 1 a core mostly waits; above 3, or above three fifths of a narrow core's width, it mostly computes.
///
/// ```
/// use fencepost::clock::perf::ipc_reading;
/// assert!(ipc_reading(0.4, Some(6)).contains("waits"));
/// assert!(ipc_reading(3.6, Some(6)).contains("computes"));
/// assert!(ipc_reading(5.9, Some(6)).contains("full"));
/// ```
pub fn ipc_reading(ipc: f64, width: Option<u8>) -> String {
    let share = width.filter(|width| *width > 0).map(|width| ipc / f64::from(width));
    let of =
        width.map_or_else(String::new, |width| format!(" of the {width} that this core issues at the most"));
    if !(ipc.is_finite() && ipc >= 0.0) {
        return "instructions a cycle are not known".to_owned();
    }
    if share.is_some_and(|share| share > 1.05) {
        return format!(
            "{ipc:.2} instructions a cycle{of}: more than issues; fused or eliminated ones count, or the width is another"
        );
    }
    let what = if ipc < 1.0 {
        "it mostly waits, for a dependency chain, for memory, or after mispredicted branches"
    } else if share.is_some_and(|share| share > 0.9) {
        "its issue slots are full; only fewer instructions make it faster"
    } else if ipc > 3.0 || share.is_some_and(|share| share > 0.6) {
        "it mostly computes; fewer or wider instructions make it faster"
    } else {
        "it neither mostly waits nor mostly computes"
    };
    format!("{ipc:.2} instructions a cycle{of}: {what}")
}

#[cfg(test)]
mod tests {
    use super::ipc_reading;

    #[test]
    fn a_narrow_core_computes_at_what_a_wide_one_idles_at() {
        assert!(ipc_reading(2.6, Some(4)).contains("computes"));
        assert!(ipc_reading(2.6, Some(8)).contains("neither"));
        assert!(ipc_reading(2.6, None).contains("neither"));
        assert!(ipc_reading(9.0, Some(6)).contains("more than issues"));
        assert!(ipc_reading(f64::NAN, Some(6)).contains("not known"));
    }
}

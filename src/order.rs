//! In which order? Sorting, compiled once: the standard library's sort is compiled anew for each type and each comparison, and
//! that alone was an eighth of what a user's build of this crate had to compile.

use std::cmp::Ordering;

/// Sorts numbers, NaN last.
#[inline(never)]
pub(crate) fn sort(values: &mut [f64]) {
    values.sort_unstable_by(f64::total_cmp);
}

/// The indices below `len`, in the order that `compare` gives; equal ones in their own.
#[inline(never)]
pub(crate) fn indices(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// The items, ordered; equal ones keep their order.
pub(crate) fn by<T>(items: Vec<T>, compare: &dyn Fn(&T, &T) -> Ordering) -> Vec<T> {
    let order = indices(items.len(), &mut |one, other| compare(&items[one], &items[other]));
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| items[at].take()).collect()
}

/// Sorts whole numbers.
pub(crate) fn whole<T: Copy + Into<u64>>(values: &[T]) -> Vec<T> {
    indices(values.len(), &mut |one, other| values[one].into().cmp(&values[other].into()))
        .into_iter()
        .map(|at| values[at])
        .collect()
}

/// Two places that hold the same text, if there are any.
pub(crate) fn twin(texts: &[&str]) -> Option<(usize, usize)> {
    let order = indices(texts.len(), &mut |one, other| texts[one].cmp(texts[other]));
    order.windows(2).find(|pair| texts[pair[0]] == texts[pair[1]]).map(|pair| (pair[0], pair[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_items_keep_their_order() {
        let items = vec![("b", 1), ("a", 2), ("b", 0), ("a", 1)];
        let sorted = by(items, &|one, other| one.0.cmp(other.0));
        assert_eq!(sorted, [("a", 2), ("a", 1), ("b", 1), ("b", 0)]);
        let mut values = [2.0, f64::NAN, -1.0, -0.0, 0.0];
        sort(&mut values);
        assert_eq!(values[..4], [-1.0, -0.0, 0.0, 2.0]);
        assert!(values[4].is_nan() && values[1].is_sign_negative());
    }

    #[test]
    fn twins_are_found_wherever_they_stand() {
        assert_eq!(twin(&["a", "c", "b", "c"]), Some((1, 3)));
        assert_eq!(twin(&["a", "c", "b"]), None);
        assert_eq!(twin(&[]), None);
    }
}

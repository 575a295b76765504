//! How many cycles an operation when inputs are independent? A loop over inputs that do not wait for one another, with a
//! sink that keeps every result.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;

use super::barrier::{BarrierKind, barrier, barrier_kind, consume};
use super::chain::{ChainFault, Number, special_faults};
use super::place::{PLACES, at_place, moved_on};
use super::{Entry, TimedLoop, UNROLL};
use crate::alloc::region;
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// Independent operations over a set of inputs, cycled.
#[derive(Debug)]
pub struct Throughput<I, R, F> {
    kernel: F,
    inputs: Vec<I>,
    given: usize,
    /// Turns of UNROLL inputs in the window that a slice cycles through.
    turns: usize,
    /// Where the window begins; it moves on from slice to slice where the inputs are no multiple of UNROLL.
    window: usize,
    /// The turn of the window, counted down from `turns` to 1, with which the next slice begins.
    left: usize,
    /// The next input of the loop that goes one by one.
    single: usize,
    place: usize,
    output: PhantomData<fn() -> R>,
}

const LANES: usize = UNROLL as usize;

impl<I: Clone, R, F: FnMut(&I) -> R> Throughput<I, R, F> {
    /// The kernel over `inputs`; `None` if there are none.
    pub fn new(inputs: &[I], kernel: F) -> Option<Self> {
        let set = working_set(inputs);
        let turns = set.len() / LANES;
        (!set.is_empty()).then_some(Self {
            kernel,
            inputs: set,
            given: inputs.len(),
            turns,
            window: 0,
            left: turns,
            single: 0,
            place: 0,
            output: PhantomData,
        })
    }

    /// How many inputs were given.
    pub fn inputs(&self) -> usize {
        self.given
    }
}

/// A function that is timed.
type Function<I, F> = fn(&mut F, &[I], &mut usize, &[I], &mut usize, u64) -> Timed;

impl<I, R, F: FnMut(&I) -> R> Throughput<I, R, F> {
    fn function(&self) -> Function<I, F> {
        at_place!(self.place, timed, I, R, F)
    }
}

/// The inputs as they lie in memory while they are timed: a few are repeated until they fill whole turns of the unrolled
/// loop, each as often as the others.
///
/// Where that would take more than 16 KiB, the inputs stay as they are and slices cycle through a window of
/// whole turns, whose place moves on from slice to slice.
pub fn working_set<I: Clone>(inputs: &[I]) -> Vec<I> {
    const MOST_BYTES: usize = 16 << 10;
    let count = inputs.len();
    if count == 0 {
        return Vec::new();
    }
    // The least common multiple with UNROLL, a power of two.
    let copies = LANES / (1 << count.trailing_zeros().min(LANES.trailing_zeros()));
    let bytes = count.saturating_mul(copies).saturating_mul(size_of::<I>());
    if count >= 4 * LANES && bytes > MOST_BYTES {
        return inputs.to_vec();
    }
    let mut set = Vec::with_capacity(count * copies);
    for _ in 0..copies {
        set.extend_from_slice(inputs);
    }
    set
}

impl<I: Clone, R, F: FnMut(&I) -> R> TimedLoop for Throughput<I, R, F> {
    fn run(&mut self, iterations: u64) -> Timed {
        let spare = self.inputs.len() - self.turns * LANES;
        self.window = if self.window >= spare { 0 } else { self.window + 1 };
        let function = self.function();
        let window = &self.inputs[self.window..self.window + self.turns * LANES];
        region(|| {
            function(&mut self.kernel, window, &mut self.left, &self.inputs, &mut self.single, iterations)
        })
    }

    fn entry(&self) -> Option<Entry> {
        Some(Entry { address: self.function() as usize as u64, operations: UNROLL })
    }

    fn places(&self) -> usize {
        PLACES
    }

    fn start_at(&mut self, place: usize) {
        self.place = place;
    }

    fn faults(&mut self) -> Vec<ChainFault> {
        let values: Vec<Number> =
            self.inputs.iter().take(self.given).filter_map(|input| Number::of(input)).collect();
        special_faults(&values, true)
    }
}

/// The function that is timed. A turn takes UNROLL inputs; the place is counted down and wrapped by a conditional move, so that
/// no branch is mispredicted at the end of the inputs: with a thousand inputs and a kernel of a quarter of a cycle that
/// one misprediction would be 8 %.
#[inline(never)]
fn timed<I, R, F: FnMut(&I) -> R, const PLACE: usize>(
    kernel: &mut F,
    window: &[I],
    left: &mut usize,
    all: &[I],
    single: &mut usize,
    iterations: u64,
) -> Timed {
    let turns = iterations / UNROLL;
    let rest = iterations % UNROLL;
    let step = LANES * size_of::<I>();
    let span = size_of_val(window);
    let end = barrier(window.as_ptr_range().end);
    let mut back = *left * step;
    let mut next = *single;
    moved_on::<PLACE>();
    let start = fenced_start();
    for _ in 0..turns {
        // SAFETY: `back` is a multiple of `step` from `step` to `span`, so a whole turn of the window lies before its end.
        let turn = unsafe { end.byte_sub(back) };
        for lane in 0..LANES {
            // SAFETY: as above: `lane` is inside the turn.
            consume(kernel_on(kernel, unsafe { turn.add(lane) }));
        }
        back = wrap(back, step, span);
    }
    for _ in 0..rest {
        consume(kernel_on(kernel, &raw const all[next]));
        next += 1;
        if next == all.len() {
            next = 0;
        }
    }
    let (stop, core) = fenced_stop();
    *left = back.checked_div(step).unwrap_or(1);
    *single = next;
    Timed { start, stop, core }
}

/// `back - step`, or `span` where that is 0: two dependent cycles a turn and no branch.
#[inline(always)]
fn wrap(back: usize, step: usize, span: usize) -> usize {
    let mut back = back;
    // SAFETY: two register instructions; the flags are declared as changed by the absence of `preserves_flags`.
    unsafe {
        std::arch::asm!(
            "sub {back}, {step}",
            "cmovz {back}, {span}",
            back = inout(reg) back,
            step = in(reg) step,
            span = in(reg) span,
            options(pure, nomem, nostack),
        );
    }
    back
}

/// One operation on the input at `place`, which the compiler knows nothing of: a number comes in a register, so that
/// neighbours cannot be fused into a vector operation; anything else is seen by address.
#[inline(always)]
fn kernel_on<I, R, F: FnMut(&I) -> R>(kernel: &mut F, place: *const I) -> R {
    if barrier_kind::<I>() == BarrierKind::Register && !std::mem::needs_drop::<I>() {
        // SAFETY: callers give a place inside a slice of live inputs. The copy is never dropped, and types with a
        // destructor do not come this way.
        let input = unsafe { ManuallyDrop::new(barrier(place.read())) };
        kernel(&input)
    } else {
        // SAFETY: callers give a place inside a slice of live inputs.
        kernel(unsafe { &*barrier(place) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::collections::BTreeMap;

    fn counts(inputs: &[u64], slices: &[u64]) -> BTreeMap<u64, usize> {
        let seen = RefCell::new(BTreeMap::new());
        let mut harness = Throughput::new(inputs, |&input| {
            *seen.borrow_mut().entry(input).or_insert(0) += 1;
        })
        .unwrap();
        for &iterations in slices {
            harness.run(iterations);
        }
        drop(harness);
        seen.into_inner()
    }

    #[test]
    fn every_input_is_used_equally_often() {
        for count in [1usize, 2, 3, 5, 16, 17, 48, 100] {
            let inputs: Vec<u64> = (0..count as u64).collect();
            let whole = (working_set(&inputs).len()) as u64;
            let seen = counts(&inputs, &[whole, 2 * whole]);
            assert_eq!(seen.len(), count);
            let expected = 3 * whole as usize / count;
            assert!(seen.values().all(|&times| times == expected), "{count}: {seen:?}");
        }
    }

    #[test]
    fn many_inputs_that_fill_no_whole_turns_are_all_used() {
        let inputs: Vec<u64> = (0..5003).collect();
        let seen = counts(&inputs, &[5008; 20]);
        assert_eq!(seen.len(), 5003);
    }

    #[test]
    fn short_slices_go_on_where_the_last_one_ended() {
        let inputs: Vec<u64> = (0..64).collect();
        assert_eq!(counts(&inputs, &[16, 16, 16, 16]).len(), 64);
        assert_eq!(counts(&inputs, &[1; 64]).len(), 64);
    }

    #[test]
    fn no_inputs_make_no_harness() {
        assert!(Throughput::new(&[], |&x: &u64| x).is_none());
    }

    #[test]
    fn inputs_of_no_size_and_inputs_with_destructors_work() {
        let mut calls = 0;
        Throughput::new(&[()], |()| calls += 1).unwrap().run(100);
        assert_eq!(calls, 100);
        let words = vec![String::from("a"), String::from("bc"), String::from("def")];
        let mut letters = 0;
        Throughput::new(&words, |word| letters += word.len()).unwrap().run(48);
        assert_eq!(letters, 96);
    }

    #[test]
    fn special_inputs_are_named() {
        let mut harness = Throughput::new(&[1.0, f64::NAN, 1e-310, 0.0], |x| x + 1.0).unwrap();
        let faults = harness.faults();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].to_string().starts_with("1 of 4 values are NaN"), "{}", faults[0]);
    }
}

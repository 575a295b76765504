//! How many cycles an operation when inputs are independent? A loop over inputs that do not wait for one another, with a
//! sink that keeps every result.

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::rc::Rc;

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
    inputs: Rc<[I]>,
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

impl<I, R, F: FnMut(&I) -> R> Throughput<I, R, F> {
    /// The kernel over `inputs`; `None` if there are none.
    pub fn new(inputs: &[I], kernel: F) -> Option<Self>
    where
        I: Clone,
    {
        Self::over(repeated(inputs), inputs.len(), kernel)
    }

    /// The kernel over inputs that were laid out before, of which the first `given` are different ones.
    pub(crate) fn over(inputs: Rc<[I]>, given: usize, kernel: F) -> Option<Self> {
        let turns = inputs.len() / LANES;
        (!inputs.is_empty()).then_some(Self {
            kernel,
            inputs,
            given,
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

/// Inputs as they lie in memory while they are timed. Copies of this share that memory: candidates that are compared go
/// through the same addresses, and a loop's floor goes through those of its kernel.
#[derive(Clone, Debug)]
pub struct WorkingSet<I> {
    laid: Laid<I>,
    given: usize,
}

#[derive(Clone, Debug)]
pub(crate) enum Laid<I> {
    /// Next to one another.
    Values(Rc<[I]>),
    /// What owns memory is reached through a pointer, since a clone for each repetition would multiply what is gone through:
    /// 4 KiB behind one input would have become 64 KiB, which is another cache.
    Shared(Rc<[Rc<I>]>),
}

impl<I> WorkingSet<I> {
    /// A few inputs are repeated until they fill whole turns of the unrolled loop, each as often as the others.
    ///
    /// Where that would take more than 16 KiB, the inputs stay as they are and slices cycle through a window of
    /// whole turns, whose place moves on from slice to slice.
    pub fn new(inputs: &[I]) -> Self
    where
        I: Clone,
    {
        if std::mem::needs_drop::<I>() {
            return Self::shared(inputs.iter().cloned().map(Rc::new).collect());
        }
        Self { laid: Laid::Values(repeated(inputs)), given: inputs.len() }
    }

    /// As [`new`](Self::new), of inputs that cannot be cloned.
    pub(crate) fn shared(inputs: Vec<Rc<I>>) -> Self {
        Self { laid: Laid::Shared(repeated(&inputs)), given: inputs.len() }
    }

    /// The inputs that were given, without repetitions.
    pub fn given(&self) -> impl Iterator<Item = &I> {
        (0..self.given).map(|at| match &self.laid {
            Laid::Values(inputs) => &inputs[at],
            Laid::Shared(inputs) => &*inputs[at],
        })
    }

    /// How many they are.
    pub fn len(&self) -> usize {
        self.given
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.given == 0
    }

    pub(crate) fn laid(&self) -> &Laid<I> {
        &self.laid
    }
}

fn repeated<I: Clone>(inputs: &[I]) -> Rc<[I]> {
    const MOST_BYTES: usize = 16 << 10;
    let count = inputs.len();
    if count == 0 {
        return Rc::from([]);
    }
    // The least common multiple with UNROLL, a power of two.
    let copies = LANES / (1 << count.trailing_zeros().min(LANES.trailing_zeros()));
    let bytes = count.saturating_mul(copies).saturating_mul(size_of::<I>());
    if count >= 4 * LANES && bytes > MOST_BYTES {
        return Rc::from(inputs);
    }
    (0..copies).flat_map(|_| inputs).cloned().collect()
}

impl<I, R, F: FnMut(&I) -> R> TimedLoop for Throughput<I, R, F> {
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
            let whole = repeated(&inputs).len() as u64;
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
    fn what_an_input_owns_is_not_multiplied_and_copies_share() {
        let owning = WorkingSet::new(&[vec![1u8; 4096], vec![2; 4096]]);
        let Laid::Shared(laid) = owning.laid() else { panic!("they own memory") };
        assert_eq!(laid.len(), LANES);
        assert!(laid.iter().step_by(2).all(|input| Rc::ptr_eq(input, &laid[0])), "one of each");
        assert_eq!(owning.given().map(|input| input[0]).collect::<Vec<_>>(), [1, 2]);
        let Laid::Shared(again) = owning.clone().laid else { panic!("as before") };
        assert!(std::ptr::eq(laid.as_ptr(), again.as_ptr()));

        let plain = WorkingSet::new(&[7u64, 9, 11]);
        let Laid::Values(laid) = plain.laid() else { panic!("they own nothing") };
        assert_eq!((laid.len(), plain.len()), (48, 3));
        assert_eq!(plain.given().copied().collect::<Vec<_>>(), [7, 9, 11]);
        assert!(!plain.is_empty() && WorkingSet::<String>::new(&[]).is_empty());
    }

    #[test]
    fn special_inputs_are_named() {
        let mut harness = Throughput::new(&[1.0, f64::NAN, 1e-310, 0.0], |x| x + 1.0).unwrap();
        let faults = harness.faults();
        assert_eq!(faults.len(), 2, "{faults:?}");
        assert!(faults[0].to_string().starts_with("1 of 4 values are NaN"), "{}", faults[0]);
    }
}

//! What does a routine cost whose input has to be made anew for each call? Inputs are made before the first fence and
//! outputs dropped after the last one.

use std::mem::MaybeUninit;

use super::TimedLoop;
use super::barrier::barrier;
use super::place::{PLACES, at_place, moved_on};
use crate::alloc::region;
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// A batch of calls of `routine` on inputs that `setup` made.
///
/// What the routine returns is dropped outside the timed region; what it takes and does not return, it drops itself, inside.
#[derive(Debug)]
pub struct Routine<S, R, Setup, F> {
    setup: Setup,
    routine: F,
    most: u64,
    place: usize,
    inputs: Vec<MaybeUninit<S>>,
    outputs: Vec<MaybeUninit<R>>,
}

/// Calls that one slice makes at the most, unless asked otherwise: few enough that the inputs and outputs of a batch stay near the
/// core. What owns memory elsewhere is larger than its size tells.
fn most<S, R>() -> u64 {
    const BYTES: usize = 16 << 10;
    const OWNING: u64 = 64;
    if std::mem::needs_drop::<S>() || std::mem::needs_drop::<R>() {
        return OWNING;
    }
    (BYTES / (size_of::<S>() + size_of::<R>()).max(1)).clamp(16, 1024) as u64
}

impl<S, R, Setup: FnMut() -> S, F: FnMut(S) -> R> Routine<S, R, Setup, F> {
    /// The routine and its setup.
    pub fn new(setup: Setup, routine: F) -> Self {
        Self { setup, routine, most: most::<S, R>(), place: 0, inputs: Vec::new(), outputs: Vec::new() }
    }

    /// At most `calls` in one slice (at least one): how many inputs are alive at once.
    #[must_use]
    pub fn batch(mut self, calls: u64) -> Self {
        self.most = calls.max(1);
        self
    }
}

/// A function that is timed.
type Function<S, R, F> = fn(&mut F, &mut [MaybeUninit<S>], &mut [MaybeUninit<R>]) -> Timed;

impl<S, R, Setup, F: FnMut(S) -> R> Routine<S, R, Setup, F> {
    fn function(&self) -> Function<S, R, F> {
        at_place!(self.place, timed, S, R, F)
    }
}

impl<S, R, Setup: FnMut() -> S, F: FnMut(S) -> R> TimedLoop for Routine<S, R, Setup, F> {
    fn run(&mut self, iterations: u64) -> Timed {
        let calls = usize::try_from(iterations.min(self.most)).unwrap_or(usize::MAX);
        self.inputs.clear();
        // A panic in setup or routine leaks what is in the batch and is safe: nothing here drops its contents.
        self.inputs.extend((0..calls).map(|_| MaybeUninit::new((self.setup)())));
        self.outputs.clear();
        self.outputs.resize_with(calls, MaybeUninit::uninit);
        let function = self.function();
        let timed = region(|| function(&mut self.routine, &mut self.inputs, &mut self.outputs));
        for output in &mut self.outputs {
            // SAFETY: `timed` has written every output, and each is dropped once: the next run writes anew.
            unsafe { output.assume_init_drop() };
        }
        timed
    }

    fn granule(&self) -> u64 {
        1
    }

    fn most(&self) -> u64 {
        self.most
    }

    fn places(&self) -> usize {
        PLACES
    }

    fn start_at(&mut self, place: usize) {
        self.place = place;
    }

    fn address(&self) -> Option<u64> {
        Some(self.function() as usize as u64)
    }
}

/// The function that is timed. Takes every input and writes every output; both slices have the same length.
#[inline(never)]
fn timed<S, R, F: FnMut(S) -> R, const PLACE: usize>(
    routine: &mut F,
    inputs: &mut [MaybeUninit<S>],
    outputs: &mut [MaybeUninit<R>],
) -> Timed {
    let calls = inputs.len().min(outputs.len());
    let input = barrier(inputs.as_mut_ptr());
    let output = barrier(outputs.as_mut_ptr());
    moved_on::<PLACE>();
    let start = fenced_start();
    for call in 0..calls {
        // SAFETY: `call` is inside both slices. Every input is initialized, is read once, and is not dropped by its slot.
        // The barrier hides each place, so that neighbouring calls cannot be fused.
        unsafe {
            let value = barrier(input.add(call)).read().assume_init();
            barrier(output.add(call)).write(MaybeUninit::new(routine(value)));
        }
    }
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    struct Counted(Rc<Cell<i64>>);

    impl Counted {
        fn new(alive: &Rc<Cell<i64>>) -> Self {
            alive.set(alive.get() + 1);
            Counted(Rc::clone(alive))
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }

    #[test]
    fn setup_runs_once_a_call_and_everything_is_dropped_once() {
        let alive = Rc::new(Cell::new(0));
        let mut made = 0;
        let mut harness = Routine::new(
            || {
                made += 1;
                Counted::new(&alive)
            },
            |value| value,
        );
        harness.run(5);
        harness.run(1);
        harness.run(0);
        drop(harness);
        assert_eq!(made, 6);
        assert_eq!(alive.get(), 0);
    }

    #[test]
    fn outputs_are_alive_until_the_region_has_ended() {
        let alive = Rc::new(Cell::new(0));
        let most_alive = Cell::new(0);
        let mut harness = Routine::new(
            || (),
            |()| {
                let value = Counted::new(&alive);
                most_alive.set(most_alive.get().max(alive.get()));
                value
            },
        );
        harness.run(10);
        drop(harness);
        assert_eq!((most_alive.get(), alive.get()), (10, 0));
    }

    #[test]
    fn a_batch_never_holds_more_than_it_may() {
        let mut made = 0;
        Routine::new(|| made += 1, |()| ()).batch(3).run(1_000_000);
        assert_eq!(made, 3);
    }
}

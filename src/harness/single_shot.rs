//! What does one call look like between a fence pair? Kept to show why it misleads: the pair's overhead and the drain
//! of the pipeline are larger than most kernels.

use super::TimedLoop;
use super::barrier::{barrier, consume};
use crate::alloc::region;
use crate::tsc::{Timed, fenced_start, fenced_stop};

/// One call on one input between a fence pair.
#[derive(Debug)]
pub struct SingleShot<I, F> {
    kernel: F,
    inputs: Vec<I>,
    next: usize,
}

impl<I: Clone, F> SingleShot<I, F> {
    /// The kernel over `inputs`, one a slice, cycled; `None` if there are none.
    pub fn new<R>(inputs: &[I], kernel: F) -> Option<Self>
    where
        F: FnMut(&I) -> R,
    {
        (!inputs.is_empty()).then(|| Self { kernel, inputs: inputs.to_vec(), next: 0 })
    }
}

impl<I, R, F: FnMut(&I) -> R> TimedLoop for SingleShot<I, F> {
    /// Makes one call, whatever `iterations` says.
    fn run(&mut self, _iterations: u64) -> Timed {
        let timed = region(|| timed(&mut self.kernel, &self.inputs[self.next]));
        self.next = (self.next + 1) % self.inputs.len();
        timed
    }

    fn granule(&self) -> u64 {
        1
    }

    fn most(&self) -> u64 {
        1
    }
}

#[inline(never)]
fn timed<I, R, F: FnMut(&I) -> R>(kernel: &mut F, input: &I) -> Timed {
    let input = barrier(input);
    let start = fenced_start();
    consume(kernel(input));
    let (stop, core) = fenced_stop();
    Timed { start, stop, core }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slice_is_one_call_on_the_next_input() {
        let mut seen = Vec::new();
        let mut harness = SingleShot::new(&[1, 2, 3], |&x: &u64| seen.push(x)).unwrap();
        for _ in 0..4 {
            harness.run(99);
        }
        drop(harness);
        assert_eq!(seen, [1, 2, 3, 1]);
    }
}

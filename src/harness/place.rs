//! Where in memory does the timed loop start? Each harness's function can be compiled several times, each time with its loop moved on by
//! another number of bytes (feature `placements`).
//!
//! What stands between the loop and the assembly that moves it has the same length in each of them, so the loop and all that is inlined into
//! it move as one. Where it came to lie is read back by whoever makes a claim of it.

/// At how many places a harness can start its loop, besides the one where the compiler put it: 0 without the feature `placements`.
pub const PLACES: usize = if cfg!(feature = "placements") { 8 } else { 0 };

/// By how many bytes behind a multiple of 64 each place moves the loop on. Those of any number of places are spread; compilers that align loops
/// to 16 bytes leave four of them distinct.
#[cfg(feature = "placements")]
const MOVED_ON: [usize; PLACES] = [0, 32, 16, 48, 8, 40, 24, 56];

/// Moves all code behind it on, for place 1 and up; what it executes lies before the opening fence.
#[inline(always)]
pub(super) fn moved_on<const PLACE: usize>() {
    #[cfg(feature = "placements")]
    if PLACE > 0 {
        // SAFETY: only NOPs are executed, which change nothing.
        unsafe {
            std::arch::asm!(
                ".p2align 6",
                ".skip {bytes}, 0x90",
                bytes = const MOVED_ON[PLACE.saturating_sub(1) % PLACES],
                options(nomem, nostack, preserves_flags),
            );
        }
    }
}

/// The instance of a function for a place.
macro_rules! at_place {
    ($place:expr, $function:ident, $($type:ty),*) => {{
        #[cfg(feature = "placements")]
        {
            match $place {
                1 => $function::<$($type,)* 1>,
                2 => $function::<$($type,)* 2>,
                3 => $function::<$($type,)* 3>,
                4 => $function::<$($type,)* 4>,
                5 => $function::<$($type,)* 5>,
                6 => $function::<$($type,)* 6>,
                7 => $function::<$($type,)* 7>,
                8 => $function::<$($type,)* 8>,
                _ => $function::<$($type,)* 0>,
            }
        }
        #[cfg(not(feature = "placements"))]
        {
            let _ = $place;
            $function::<$($type,)* 0>
        }
    }};
}
pub(super) use at_place;

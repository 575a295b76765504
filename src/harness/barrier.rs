//! How is a value hidden from the compiler at no cost? An empty `asm!` that claims to change it where it is.
//!
//! `std::hint::black_box` sends its value through memory: a dependent addition then reads five or six cycles
//! instead of one. Here integers and thin pointers stay in a general register, floats and SIMD vectors in a vector
//! register, and nothing is executed. Other types are passed by address, never copied.

use std::any::TypeId;
use std::arch::asm;
use std::arch::x86_64::{__m128, __m128d, __m128i, __m256, __m256d, __m256i, __m512, __m512d, __m512i};

/// Where a type passes the barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierKind {
    /// In a register: the barrier costs nothing.
    Register,
    /// By address: the value is in memory on both sides, and a chain through it pays a store and a load.
    Memory,
}

/// Which way [`barrier`] takes for `T` in this build (256-bit and 512-bit vectors need the target feature).
///
/// ```
/// use fencepost::harness::{BarrierKind, barrier_kind};
/// assert_eq!(barrier_kind::<u64>(), BarrierKind::Register);
/// assert_eq!(barrier_kind::<&str>(), BarrierKind::Memory);
/// ```
pub fn barrier_kind<T>() -> BarrierKind {
    match class::<T>() {
        Class::Memory => BarrierKind::Memory,
        _ => BarrierKind::Register,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Unit,
    Byte,
    General16,
    General32,
    General64,
    Pointer,
    Float32,
    Float64,
    Vector128,
    Vector256,
    Vector512,
    Memory,
}

#[inline(always)]
fn is<T, U: 'static>() -> bool {
    typeid::of::<T>() == TypeId::of::<U>()
}

/// All of this is known when the function is compiled for a `T`, so only one branch of its callers remains.
#[inline(always)]
fn class<T>() -> Class {
    if size_of::<T>() == 0 {
        Class::Unit
    } else if is::<T, u8>() || is::<T, i8>() || is::<T, bool>() {
        Class::Byte
    } else if is::<T, u16>() || is::<T, i16>() {
        Class::General16
    } else if is::<T, u32>() || is::<T, i32>() || is::<T, char>() {
        Class::General32
    } else if is::<T, u64>() || is::<T, i64>() || is::<T, usize>() || is::<T, isize>() {
        Class::General64
    } else if is::<T, f32>() {
        Class::Float32
    } else if is::<T, f64>() {
        Class::Float64
    } else if is::<T, __m128>() || is::<T, __m128d>() || is::<T, __m128i>() {
        Class::Vector128
    } else if cfg!(target_feature = "avx") && (is::<T, __m256>() || is::<T, __m256d>() || is::<T, __m256i>())
    {
        Class::Vector256
    } else if cfg!(target_feature = "avx512f")
        && (is::<T, __m512>() || is::<T, __m512d>() || is::<T, __m512i>())
    {
        Class::Vector512
    } else if is_thin_pointer::<T>() {
        Class::Pointer
    } else {
        Class::Memory
    }
}

/// References, raw pointers and boxes of sized things. The type's name decides, which only ever costs speed: the
/// test on size and alignment makes either way correct.
#[inline(always)]
fn is_thin_pointer<T>() -> bool {
    if size_of::<T>() != size_of::<usize>() || align_of::<T>() != align_of::<usize>() {
        return false;
    }
    let name = std::any::type_name::<T>().as_bytes();
    matches!(name, [b'&', ..] | [b'*', b'c' | b'm', ..]) || name.starts_with(b"alloc::boxed::Box<")
}

/// Gives `value` back as something the compiler knows nothing of. No instruction is executed for register types.
///
/// ```
/// assert_eq!(fencepost::barrier(42u64), 42);
/// assert_eq!(fencepost::barrier(1.5f64), 1.5);
/// assert_eq!(fencepost::barrier(String::from("any type")), "any type");
/// ```
#[inline(always)]
pub fn barrier<T>(value: T) -> T {
    let mut value = std::mem::ManuallyDrop::new(value);
    let place: *mut T = &raw mut *value;
    // SAFETY: `class` named the type or one of the same size and the same validity (any bit pattern that went in comes
    // out, since the assembly is empty), so reading and writing the place as that type is a plain copy. The value
    // is taken out of its `ManuallyDrop` exactly once.
    unsafe {
        macro_rules! through {
            ($text:literal, $register:ident, $as:ty) => {{
                let mut inner: $as = place.cast::<$as>().read();
                asm!($text, inout($register) inner, options(nomem, nostack, preserves_flags));
                place.cast::<$as>().write(inner);
            }};
        }
        match class::<T>() {
            Class::Unit => asm!("", options(nomem, nostack, preserves_flags)),
            Class::Byte => through!("/* {0} */", reg_byte, u8),
            Class::General16 => through!("/* {0:r} */", reg, u16),
            Class::General32 => through!("/* {0:r} */", reg, u32),
            Class::General64 => through!("/* {0:r} */", reg, u64),
            Class::Pointer => {
                let mut inner: *mut u8 = place.cast::<*mut u8>().read();
                // Without `nomem`: what the pointer leads to must count as seen and changed.
                asm!("/* {0} */", inout(reg) inner, options(nostack, preserves_flags));
                place.cast::<*mut u8>().write(inner);
            }
            Class::Float32 => through!("/* {0} */", xmm_reg, f32),
            Class::Float64 => through!("/* {0} */", xmm_reg, f64),
            Class::Vector128 => through!("/* {0} */", xmm_reg, __m128i),
            #[cfg(target_feature = "avx")]
            Class::Vector256 => through!("/* {0} */", ymm_reg, __m256i),
            #[cfg(target_feature = "avx512f")]
            Class::Vector512 => through!("/* {0} */", zmm_reg, __m512i),
            // Without `nomem`: the assembly may read and change what the address leads to.
            _ => asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags)),
        }
        std::mem::ManuallyDrop::take(&mut value)
    }
}

/// Uses `value` as far as the compiler can tell, and does nothing with it: the sink of a throughput loop.
///
/// A value with a destructor is dropped here, so its drop is part of what is timed.
#[inline(always)]
pub fn consume<T>(value: T) {
    let place: *const T = &raw const value;
    // SAFETY: as for `barrier`; nothing is written back.
    unsafe {
        macro_rules! into {
            ($text:literal, $register:ident, $as:ty) => {{
                let inner: $as = place.cast::<$as>().read();
                asm!($text, in($register) inner, options(nomem, nostack, preserves_flags));
            }};
        }
        match class::<T>() {
            Class::Unit => asm!("", options(nomem, nostack, preserves_flags)),
            Class::Byte => into!("/* {0} */", reg_byte, u8),
            Class::General16 => into!("/* {0:r} */", reg, u16),
            Class::General32 => into!("/* {0:r} */", reg, u32),
            Class::General64 => into!("/* {0:r} */", reg, u64),
            Class::Pointer => {
                let inner: *const u8 = place.cast::<*const u8>().read();
                asm!("/* {0} */", in(reg) inner, options(nostack, preserves_flags));
            }
            Class::Float32 => into!("/* {0} */", xmm_reg, f32),
            Class::Float64 => into!("/* {0} */", xmm_reg, f64),
            Class::Vector128 => into!("/* {0} */", xmm_reg, __m128i),
            #[cfg(target_feature = "avx")]
            Class::Vector256 => into!("/* {0} */", ymm_reg, __m256i),
            #[cfg(target_feature = "avx512f")]
            Class::Vector512 => into!("/* {0} */", zmm_reg, __m512i),
            _ => asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags)),
        }
    }
    drop(value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_comes_back_as_it_went_in() {
        assert!(barrier(true));
        assert_eq!(barrier(i8::MIN), i8::MIN);
        assert_eq!(barrier(u16::MAX), u16::MAX);
        assert_eq!(barrier('\u{10ffff}'), '\u{10ffff}');
        assert_eq!(barrier(u128::MAX - 1), u128::MAX - 1);
        assert_eq!(barrier((1u8, 2u64, "three")), (1, 2, "three"));
        assert_eq!(barrier([7u8; 100]), [7u8; 100]);
        assert_eq!(barrier(vec![1, 2, 3]), [1, 2, 3]);
        assert_eq!(*barrier(Box::new(5)), 5);
        assert_eq!(barrier(()), ());
        assert_eq!(barrier(None::<u64>), None);
        assert!(barrier(f64::NAN).is_nan());
        assert_eq!(barrier(-0.0f32).to_bits(), (-0.0f32).to_bits());
    }

    #[test]
    fn types_go_the_way_that_the_documentation_says() {
        use BarrierKind::{Memory, Register};
        assert_eq!(barrier_kind::<u8>(), Register);
        assert_eq!(barrier_kind::<f32>(), Register);
        assert_eq!(barrier_kind::<__m128i>(), Register);
        assert_eq!(barrier_kind::<&u64>(), Register);
        assert_eq!(barrier_kind::<*const u64>(), Register);
        assert_eq!(barrier_kind::<Box<u64>>(), Register);
        assert_eq!(barrier_kind::<&str>(), Memory);
        assert_eq!(barrier_kind::<&dyn Fn()>(), Memory);
        assert_eq!(barrier_kind::<String>(), Memory);
        assert_eq!(barrier_kind::<(u32, u32)>(), Memory);
    }

    #[test]
    fn a_value_is_dropped_once() {
        use std::cell::Cell;
        struct Counted<'a>(&'a Cell<u32>);
        impl Drop for Counted<'_> {
            fn drop(&mut self) {
                self.0.set(self.0.get() + 1);
            }
        }
        let drops = Cell::new(0);
        drop(barrier(Counted(&drops)));
        assert_eq!(drops.get(), 1);
        consume(Counted(&drops));
        assert_eq!(drops.get(), 2);
        drop(barrier(Box::new(Counted(&drops))));
        assert_eq!(drops.get(), 3);
    }
}

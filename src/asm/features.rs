//! Does this CPU, as the kernel has set it up, have the instruction set that an instruction belongs to?

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use iced_x86::{Code, CpuidFeature};

use crate::machine::{Cpuid, NativeCpuid};

/// Where CPUID keeps a feature's bit: leaf, subleaf, register (0 EAX, 1 EBX, 2 ECX, 3 EDX), bit.
type Place = (u32, u32, usize, u32);

/// What the kernel has to have enabled (XCR0) for a feature to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Legacy,
    Avx,
    Avx512,
}

/// Instruction sets of this CPU.
#[derive(Clone, Debug)]
pub struct Features {
    found: HashMap<&'static str, bool>,
}

impl Features {
    /// Those of the CPU that the thread is on.
    pub fn detect() -> Self {
        let avx = std::arch::is_x86_feature_detected!("avx");
        let avx512 = std::arch::is_x86_feature_detected!("avx512f");
        Self::from_source(&NativeCpuid, avx, avx512)
    }

    /// Those that CPUID answers say, with the vector state that the kernel enabled.
    pub fn from_source(cpuid: &dyn Cpuid, avx_enabled: bool, avx512_enabled: bool) -> Self {
        let highest = cpuid.leaf(0, 0)[0];
        let highest_extended = cpuid.leaf(0x8000_0000, 0)[0];
        let found = PLACES.iter().map(|(name, (leaf, subleaf, register, bit), state)| {
            let top = if *leaf >= 0x8000_0000 { highest_extended } else { highest };
            let enabled = match state {
                State::Legacy => true,
                State::Avx => avx_enabled,
                State::Avx512 => avx512_enabled,
            };
            let set = *leaf <= top
                && cpuid.leaf(*leaf, *subleaf).get(*register).is_some_and(|word| word >> bit & 1 == 1);
            (*name, set && enabled)
        });
        Self { found: found.collect() }
    }

    /// Whether this feature is there. What no bit is known of is not.
    pub fn has(&self, feature: CpuidFeature) -> bool {
        use CpuidFeature as F;
        match feature {
            F::INTEL8086
            | F::INTEL186
            | F::INTEL286
            | F::INTEL386
            | F::INTEL486
            | F::X64
            | F::CPUID
            | F::FPU
            | F::FPU287
            | F::FPU387
            | F::MULTIBYTENOP
            | F::PAUSE
            | F::SYSCALL
            | F::RDPMC
            | F::MSR => true,
            // Prefixes alone; they run on every CPU.
            F::HLE_or_RTM => true,
            F::PREFETCHW => self.named("PREFETCHW") || self.named("D3NOW"),
            _ => self.named(&format!("{feature:?}")),
        }
    }

    fn named(&self, name: &str) -> bool {
        self.found.get(name).copied().unwrap_or(false)
    }

    /// The first feature of an instruction that is missing.
    pub fn missing(&self, code: Code) -> Option<CpuidFeature> {
        code.cpuid_features().iter().copied().find(|feature| !self.has(*feature))
    }
}

/// The features of this CPU, read once.
pub fn features() -> Features {
    static KNOWN: Mutex<Option<Features>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_with(Features::detect).clone()
}

const fn at(leaf: u32, subleaf: u32, register: usize, bit: u32) -> Place {
    (leaf, subleaf, register, bit)
}

const EAX: usize = 0;
const EBX: usize = 1;
const ECX: usize = 2;
const EDX: usize = 3;

/// Bits by Intel's SDM (volume 2, CPUID), Intel's Architecture Instruction Set Extensions reference and AMD's APM (volume 3, appendix E).
const PLACES: &[(&str, Place, State)] = &[
    ("TSC", at(1, 0, EDX, 4), State::Legacy),
    ("CX8", at(1, 0, EDX, 8), State::Legacy),
    ("SEP", at(1, 0, EDX, 11), State::Legacy),
    ("CMOV", at(1, 0, EDX, 15), State::Legacy),
    ("CLFSH", at(1, 0, EDX, 19), State::Legacy),
    ("MMX", at(1, 0, EDX, 23), State::Legacy),
    ("FXSR", at(1, 0, EDX, 24), State::Legacy),
    ("SSE", at(1, 0, EDX, 25), State::Legacy),
    ("SSE2", at(1, 0, EDX, 26), State::Legacy),
    ("SSE3", at(1, 0, ECX, 0), State::Legacy),
    ("PCLMULQDQ", at(1, 0, ECX, 1), State::Legacy),
    ("MONITOR", at(1, 0, ECX, 3), State::Legacy),
    ("SSSE3", at(1, 0, ECX, 9), State::Legacy),
    ("FMA", at(1, 0, ECX, 12), State::Avx),
    ("CMPXCHG16B", at(1, 0, ECX, 13), State::Legacy),
    ("SSE4_1", at(1, 0, ECX, 19), State::Legacy),
    ("SSE4_2", at(1, 0, ECX, 20), State::Legacy),
    ("MOVBE", at(1, 0, ECX, 22), State::Legacy),
    ("POPCNT", at(1, 0, ECX, 23), State::Legacy),
    ("AES", at(1, 0, ECX, 25), State::Legacy),
    ("XSAVE", at(1, 0, ECX, 27), State::Legacy),
    ("AVX", at(1, 0, ECX, 28), State::Avx),
    ("F16C", at(1, 0, ECX, 29), State::Avx),
    ("RDRAND", at(1, 0, ECX, 30), State::Legacy),
    ("FSGSBASE", at(7, 0, EBX, 0), State::Legacy),
    ("BMI1", at(7, 0, EBX, 3), State::Legacy),
    ("HLE", at(7, 0, EBX, 4), State::Legacy),
    ("AVX2", at(7, 0, EBX, 5), State::Avx),
    ("BMI2", at(7, 0, EBX, 8), State::Legacy),
    ("RTM", at(7, 0, EBX, 11), State::Legacy),
    ("MPX", at(7, 0, EBX, 14), State::Legacy),
    ("AVX512F", at(7, 0, EBX, 16), State::Avx512),
    ("AVX512DQ", at(7, 0, EBX, 17), State::Avx512),
    ("RDSEED", at(7, 0, EBX, 18), State::Legacy),
    ("ADX", at(7, 0, EBX, 19), State::Legacy),
    ("AVX512_IFMA", at(7, 0, EBX, 21), State::Avx512),
    ("CLFLUSHOPT", at(7, 0, EBX, 23), State::Legacy),
    ("CLWB", at(7, 0, EBX, 24), State::Legacy),
    ("AVX512PF", at(7, 0, EBX, 26), State::Avx512),
    ("AVX512ER", at(7, 0, EBX, 27), State::Avx512),
    ("AVX512CD", at(7, 0, EBX, 28), State::Avx512),
    ("SHA", at(7, 0, EBX, 29), State::Legacy),
    ("AVX512BW", at(7, 0, EBX, 30), State::Avx512),
    ("AVX512VL", at(7, 0, EBX, 31), State::Avx512),
    ("PREFETCHWT1", at(7, 0, ECX, 0), State::Legacy),
    ("AVX512_VBMI", at(7, 0, ECX, 1), State::Avx512),
    // OSPKE: the kernel has to have enabled protection keys.
    ("PKU", at(7, 0, ECX, 4), State::Legacy),
    ("WAITPKG", at(7, 0, ECX, 5), State::Legacy),
    ("AVX512_VBMI2", at(7, 0, ECX, 6), State::Avx512),
    ("GFNI", at(7, 0, ECX, 8), State::Legacy),
    ("VAES", at(7, 0, ECX, 9), State::Avx),
    ("VPCLMULQDQ", at(7, 0, ECX, 10), State::Avx),
    ("AVX512_VNNI", at(7, 0, ECX, 11), State::Avx512),
    ("AVX512_BITALG", at(7, 0, ECX, 12), State::Avx512),
    ("AVX512_VPOPCNTDQ", at(7, 0, ECX, 14), State::Avx512),
    ("RDPID", at(7, 0, ECX, 22), State::Legacy),
    ("CLDEMOTE", at(7, 0, ECX, 25), State::Legacy),
    ("MOVDIRI", at(7, 0, ECX, 27), State::Legacy),
    ("MOVDIR64B", at(7, 0, ECX, 28), State::Legacy),
    ("AVX512_4VNNIW", at(7, 0, EDX, 2), State::Avx512),
    ("AVX512_4FMAPS", at(7, 0, EDX, 3), State::Avx512),
    ("AVX512_VP2INTERSECT", at(7, 0, EDX, 8), State::Avx512),
    ("SERIALIZE", at(7, 0, EDX, 14), State::Legacy),
    ("TSXLDTRK", at(7, 0, EDX, 16), State::Legacy),
    ("AVX512_FP16", at(7, 0, EDX, 23), State::Avx512),
    ("SHA512", at(7, 1, EAX, 0), State::Avx),
    ("SM3", at(7, 1, EAX, 1), State::Avx),
    ("SM4", at(7, 1, EAX, 2), State::Avx),
    ("RAO_INT", at(7, 1, EAX, 3), State::Legacy),
    ("AVX_VNNI", at(7, 1, EAX, 4), State::Avx),
    ("AVX512_BF16", at(7, 1, EAX, 5), State::Avx512),
    ("CMPCCXADD", at(7, 1, EAX, 7), State::Legacy),
    ("AVX_IFMA", at(7, 1, EAX, 23), State::Avx),
    ("AVX_VNNI_INT8", at(7, 1, EDX, 4), State::Avx),
    ("AVX_NE_CONVERT", at(7, 1, EDX, 5), State::Avx),
    ("AVX_VNNI_INT16", at(7, 1, EDX, 10), State::Avx),
    ("PREFETCHITI", at(7, 1, EDX, 14), State::Legacy),
    ("XSAVEOPT", at(0xd, 1, EAX, 0), State::Legacy),
    ("XSAVEC", at(0xd, 1, EAX, 1), State::Legacy),
    ("PTWRITE", at(0x14, 0, EBX, 4), State::Legacy),
    ("LZCNT", at(0x8000_0001, 0, ECX, 5), State::Legacy),
    ("SSE4A", at(0x8000_0001, 0, ECX, 6), State::Legacy),
    ("PREFETCHW", at(0x8000_0001, 0, ECX, 8), State::Legacy),
    ("XOP", at(0x8000_0001, 0, ECX, 11), State::Avx),
    ("LWP", at(0x8000_0001, 0, ECX, 15), State::Legacy),
    ("FMA4", at(0x8000_0001, 0, ECX, 16), State::Avx),
    ("TBM", at(0x8000_0001, 0, ECX, 21), State::Legacy),
    ("MONITORX", at(0x8000_0001, 0, ECX, 29), State::Legacy),
    ("D3NOWEXT", at(0x8000_0001, 0, EDX, 30), State::Legacy),
    ("D3NOW", at(0x8000_0001, 0, EDX, 31), State::Legacy),
    ("RDTSCP", at(0x8000_0001, 0, EDX, 27), State::Legacy),
    ("CLZERO", at(0x8000_0008, 0, EBX, 0), State::Legacy),
    ("RDPRU", at(0x8000_0008, 0, EBX, 4), State::Legacy),
    ("MCOMMIT", at(0x8000_0008, 0, EBX, 8), State::Legacy),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_of_the_decoders() {
        let known: Vec<String> = CpuidFeature::values().map(|feature| format!("{feature:?}")).collect();
        for (name, ..) in PLACES {
            assert!(known.iter().any(|one| one == name), "{name}");
        }
    }

    #[test]
    fn what_the_standard_library_detects_is_found() {
        let here = Features::detect();
        assert_eq!(here.has(CpuidFeature::AVX2), std::arch::is_x86_feature_detected!("avx2"));
        assert_eq!(here.has(CpuidFeature::BMI2), std::arch::is_x86_feature_detected!("bmi2"));
        assert_eq!(here.has(CpuidFeature::AVX512BW), std::arch::is_x86_feature_detected!("avx512bw"));
        assert_eq!(here.has(CpuidFeature::LZCNT), std::arch::is_x86_feature_detected!("lzcnt"));
        assert!(here.has(CpuidFeature::SSE2) && !here.has(CpuidFeature::KNC));
    }

    struct Silent;
    impl Cpuid for Silent {
        fn leaf(&self, leaf: u32, _: u32) -> [u32; 4] {
            if leaf == 0 { [7, 0, 0, 0] } else { [0; 4] }
        }
    }

    #[test]
    fn a_cpu_that_says_nothing_has_no_vectors() {
        let none = Features::from_source(&Silent, true, true);
        assert_eq!(none.missing(Code::VEX_Vaddps_ymm_ymm_ymmm256), Some(CpuidFeature::AVX));
        assert_eq!(none.missing(Code::Add_r64_rm64), None);
    }
}

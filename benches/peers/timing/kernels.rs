//! Which kernels are timed by all harnesses? Twenty small functions of one number, by name.

/// Name and function.
pub const KERNELS: [(&str, fn(u64) -> u64); 20] = [
    ("add", |x| x.wrapping_add(0x9e37_79b9)),
    ("multiply", |x| x.wrapping_mul(0x9e37_79b9_7f4a_7c15)),
    ("divide", |x| 0xffff_ffff_ffff_ffff / (x | 1)),
    ("bit_mix", bit_mix),
    ("fnv", fnv),
    ("popcount", |x| u64::from(x.count_ones())),
    ("reverse_bits", u64::reverse_bits),
    ("rotate_xor_8", |x| (0..8).fold(x, |x, by| x.rotate_left(by) ^ (x >> 3))),
    ("square_root", |x| (x as f64).sqrt() as u64),
    ("polynomial", polynomial),
    ("power_mod", power_mod),
    ("gcd", gcd),
    ("collatz", collatz),
    ("fibonacci", |x| (0..(x & 63)).fold((0u64, 1u64), |(a, b), _| (b, a.wrapping_add(b))).0),
    ("digits", digits),
    ("parse", parse),
    ("checksum_64", checksum),
    ("sum_256", |x| (0..256).fold(0, |sum: u64, at| sum.wrapping_add(at ^ x))),
    ("sort_32", sort),
    ("allocate", |x| std::hint::black_box(vec![x; 16])[7]),
];

fn bit_mix(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

fn fnv(x: u64) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    x.to_le_bytes().into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

fn polynomial(x: u64) -> u64 {
    let x = (x & 0xffff) as f64;
    [1.5, -0.25, 3.0, 0.125, 7.0].iter().fold(0.0, |sum, factor| sum * x + factor).to_bits()
}

fn power_mod(x: u64) -> u64 {
    let (mut base, mut exponent, mut result) = (x % 1_000_003, 65_537u64, 1u64);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % 1_000_003;
        }
        base = base * base % 1_000_003;
        exponent >>= 1;
    }
    result
}

fn gcd(x: u64) -> u64 {
    let (mut a, mut b) = (x | 1, 0x0fff_ffff_ffff);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn collatz(x: u64) -> u64 {
    let mut value = (x & 0xff) + 1;
    let mut steps = 0;
    while value != 1 {
        value = if value % 2 == 0 { value / 2 } else { 3 * value + 1 };
        steps += 1;
    }
    steps
}

fn digits(mut x: u64) -> u64 {
    let mut sum = 0;
    while x > 0 {
        sum += x % 10;
        x /= 10;
    }
    sum
}

fn parse(x: u64) -> u64 {
    let mut text = [b'0'; 8];
    for (at, digit) in text.iter_mut().enumerate() {
        *digit += (x >> (4 * at)) as u8 % 10;
    }
    text.iter().fold(0, |value, digit| 10 * value + u64::from(digit - b'0'))
}

fn checksum(x: u64) -> u64 {
    (0..64u64).fold(x, |sum, at| (sum << 5 | sum >> 59) ^ at.wrapping_mul(x))
}

fn sort(x: u64) -> u64 {
    let mut values = [0u64; 32];
    let mut state = x | 1;
    for value in &mut values {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        *value = state >> 33;
    }
    values.sort_unstable();
    values[7]
}

/// What the kernels are called with.
pub const INPUT: u64 = 0x0123_4567_89ab_cdef;

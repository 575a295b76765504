//! The kernels in divan, at its defaults.

use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

#[divan::bench(args = timing::KERNELS.map(|(name, _)| name))]
fn kernels(bencher: Bencher, name: &str) {
    let (_, kernel) = timing::KERNELS.into_iter().find(|(known, _)| *known == name).expect("a kernel's name");
    bencher.bench_local(|| kernel(black_box(timing::INPUT)));
}

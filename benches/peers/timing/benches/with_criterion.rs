//! The kernels in criterion, at its defaults.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};

fn kernels(criterion: &mut Criterion) {
    for (name, kernel) in timing::KERNELS {
        criterion.bench_function(name, |bencher| bencher.iter(|| kernel(black_box(timing::INPUT))));
    }
}

criterion_group!(all, kernels);
criterion_main!(all);

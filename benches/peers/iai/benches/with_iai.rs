//! Counted by iai.

use fencepost_peer_iai::fibonacci;
use iai::black_box;

fn empty() {}

fn short() -> u64 {
    fibonacci(black_box(10))
}

fn long() -> u64 {
    fibonacci(black_box(30))
}

iai::main!(empty, short, long);

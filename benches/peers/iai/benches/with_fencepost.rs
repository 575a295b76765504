//! Counted by fencepost.

use std::process::ExitCode;

use fencepost_peer_iai::fibonacci;
use iai::black_box;

fn main() -> ExitCode {
    fencepost::suite(|s| {
        s.routine("empty", || (), |()| ());
        s.routine("short", || (), |()| fibonacci(black_box(10)));
        s.routine("long", || (), |()| fibonacci(black_box(30)));
    })
}

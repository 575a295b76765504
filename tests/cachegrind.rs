//! Counting under Valgrind, from outside: exact, repeatable, and right about what it leaves out. The binary of
//! `tests/cachegrind/fixture.rs` is run as a user runs it. What is read of Valgrind's files needs no Valgrind.

mod common;
#[path = "cachegrind/compared.rs"]
mod compared;
#[path = "cachegrind/counted.rs"]
mod counted;
#[path = "cachegrind/failing.rs"]
mod failing;
#[path = "cachegrind/files.rs"]
mod files;
#[path = "cachegrind/place.rs"]
mod place;

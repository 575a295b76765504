//! Counting under Valgrind, from outside: exact, repeatable, and right about what it leaves out.

//! The trap: memory that was just allocated. The first write to each page enters the kernel, which finds and clears one.
//!
//! `cargo run --release --example trap_first_touch`

mod traps;

use std::process::ExitCode;

use fencepost::lab::Benchmark;
use nix::sys::resource::{UsageWho, getrusage};

const PAGE: usize = 4096;
const PAGES: usize = 64;

/// Memory straight from the kernel, whose pages are not there yet.
struct Fresh(*mut u8);

impl Fresh {
    fn new() -> Self {
        // SAFETY: a fresh private anonymous mapping at an address of the kernel's choice; the advice changes no content.
        let place = unsafe {
            let place = libc::mmap(
                std::ptr::null_mut(),
                PAGES * PAGE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            );
            assert_ne!(place, libc::MAP_FAILED, "{}", std::io::Error::last_os_error());
            libc::madvise(place, PAGES * PAGE, libc::MADV_NOHUGEPAGE);
            place
        };
        Self(place.cast())
    }

    /// Writes one byte to each page.
    fn write(self) -> Self {
        for page in 0..PAGES {
            // SAFETY: inside the mapping, which lives as long as `self`.
            unsafe { self.0.add(page * PAGE).write_volatile(1) };
        }
        self
    }
}

impl Drop for Fresh {
    fn drop(&mut self) {
        // SAFETY: the mapping that `new` made.
        unsafe { libc::munmap(self.0.cast(), PAGES * PAGE) };
    }
}

fn faults() -> i64 {
    getrusage(UsageWho::RUSAGE_THREAD).map_or(0, |usage| usage.minor_page_faults())
}

fn main() -> ExitCode {
    traps::lesson("The first touch of a page.", |lab| {
        let before = faults();
        drop(Fresh::new().write());
        let first = faults() - before;
        let touched = Fresh::new().write();
        let before = faults();
        let touched = touched.write();
        let second = faults() - before;
        drop(touched);
        let found = traps::measured(
            lab,
            vec![
                Benchmark::routine("a write to a fresh page", Fresh::new, Fresh::write).ops(PAGES as u64)?,
                Benchmark::routine("a write to a page that is there", || Fresh::new().write(), Fresh::write)
                    .ops(PAGES as u64)?,
            ],
        )?;
        let counted =
            format!("\n{PAGES} pages: {first} page faults at the first write, {second} at the second.\n");
        Ok(traps::table(&found)
            + &counted
            + &traps::judged(&found[0], &found[1], 2.0, "fresh pages against touched ones")?
            + "A buffer that is allocated inside of what is timed pays this; touch it in the setup.\n")
    })
}

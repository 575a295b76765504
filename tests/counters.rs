//! Are events counted right? Real software events everywhere, hardware ones where there is a PMU; without one, once and why not.
#![cfg(feature = "counters")]

use std::hint::black_box;

use fencepost::clock::perf::{Counters, Direct, Event, ipc_reading, per_operation};
use fencepost::error::ErrorKind;
use fencepost::lab::Benchmark;
use fencepost::machine::Machine;

const SOFTWARE: [Event; 4] = [Event::PageFaults, Event::ContextSwitches, Event::Migrations, Event::TaskClock];

/// The counters for `events`, or `None`, said aloud, where none of them can be had.
fn counters(events: &[Event]) -> Option<Counters> {
    let (counters, refused) = Counters::open(events, &Machine::detect());
    for refusal in &refused {
        eprintln!("{refusal}");
    }
    if counters.events().next().is_none() {
        assert!(!refused.is_empty(), "nothing is counted and nothing said");
        eprintln!("SKIPPED: none of {events:?} can be counted here");
        return None;
    }
    Some(counters)
}

/// Fresh memory of so many pages, each written once.
fn touch(pages: usize) {
    let bytes = pages * 4096;
    // SAFETY: a fresh private anonymous mapping, written inside its length and unmapped again.
    unsafe {
        let place = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        assert_ne!(place, libc::MAP_FAILED);
        libc::madvise(place, bytes, libc::MADV_NOHUGEPAGE);
        for page in 0..pages {
            place.cast::<u8>().add(page * 4096).write_volatile(1);
        }
        libc::munmap(place, bytes);
    }
}

#[test]
fn page_faults_are_counted_one_a_page() {
    let Some(mut counters) = counters(&SOFTWARE) else { return };
    for pages in [1usize, 100, 1000] {
        let faults = counters.count(|| touch(pages)).get(Event::PageFaults).expect("page faults are counted");
        assert!((pages as f64..=pages as f64 + 8.0).contains(&faults), "{faults} faults for {pages} pages");
    }
    let none = counters.count(|| _ = black_box(1 + 1)).get(Event::PageFaults).expect("counted");
    assert!(none <= 4.0, "{none} faults for nothing");
}

#[test]
fn sleeping_switches_context_and_takes_no_time_on_a_cpu() {
    let Some(mut counters) = counters(&SOFTWARE) else { return };
    let reading = counters.count(|| {
        for _ in 0..5 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    });
    // Kept to user mode where the kernel allows no more, they are not seen.
    if let Some(switches) = reading.get(Event::ContextSwitches).filter(|switches| *switches > 0.0) {
        assert!(switches >= 5.0, "{switches} switches in five sleeps");
    }
    let clock = reading.get(Event::TaskClock).expect("the task clock is counted");
    assert!(clock < 50e6, "{clock} ns on a CPU in 100 ms of sleep");
}

/// Time of this thread on a CPU, in nanoseconds, by the other clock that the kernel has.
fn thread_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it fills in a local of its type.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

#[test]
fn the_task_clock_is_right_each_time_beside_other_events() {
    let Some(mut counters) = counters(&SOFTWARE) else { return };
    for round in 0..6 {
        // The last run of the work is that of the last group: each takes as long on the CPU.
        let wanted = if round % 2 == 0 { 2e6 } else { 4e6 };
        let reading = counters.count(|| {
            let began = thread_time();
            while thread_time() - began < wanted {}
        });
        let clock = reading.get(Event::TaskClock).expect("the task clock is counted");
        assert!((clock / wanted - 1.0).abs() < 0.25, "round {round}: {clock} ns of {wanted}");
    }
}

#[test]
fn faults_of_a_benchmark_are_told_by_operation() {
    let Some(mut counters) = counters(&[Event::PageFaults]) else { return };
    let mut benchmark = Benchmark::single_shot("touch", &[64usize], |pages| touch(*pages)).expect("an input");
    let found = per_operation(&mut counters, 1, |calls| benchmark.calls(calls));
    let faults = found.get(Event::PageFaults).expect("counted");
    assert!((64.0..72.0).contains(&faults), "{faults}");
}

#[test]
fn a_kernel_counts_its_instructions_where_there_is_a_pmu() {
    let hardware: Vec<Event> = Event::ALL.iter().copied().filter(|event| !event.is_software()).collect();
    let Some(mut counters) = counters(&hardware) else { return };
    // Sixteen dependent additions a turn of the loop: one cycle and one instruction each.
    let mut benchmark = Benchmark::latency("add", 1u64, |x: u64| x.wrapping_add(black_box_free(x)));
    let found = per_operation(&mut counters, 1 << 16, |calls| benchmark.calls(calls));
    let (Some(cycles), Some(instructions)) = (found.get(Event::Cycles), found.get(Event::Instructions))
    else {
        eprintln!("SKIPPED: no cycles or instructions are counted here");
        return;
    };
    assert!((0.9..1.5).contains(&instructions), "{instructions} instructions an addition");
    assert!((0.9..1.2).contains(&cycles), "{cycles} cycles an addition");
    assert!(!ipc_reading(instructions / cycles, Machine::detect().issue_width()).is_empty());
}

/// The value, in a way that keeps `x + x` an addition.
fn black_box_free(x: u64) -> u64 {
    x
}

#[test]
fn a_direct_reading_counts_upwards_or_says_why_not() {
    assert_eq!(Direct::open(Event::PageFaults).unwrap_err().kind(), ErrorKind::Usage);
    match Direct::open(Event::Instructions) {
        Ok(direct) => {
            let before = direct.read();
            black_box((0..1000u64).sum::<u64>());
            if let (Some(before), Some(after)) = (before, direct.read()) {
                assert!(after > before);
            }
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::CannotMeasure);
            assert!(error.to_string().contains("perf_event"), "{error}");
        }
    }
}

#[test]
fn what_cannot_be_counted_is_said_once_for_each_reason() {
    let (_, refused) = Counters::open(&Event::ALL, &Machine::detect());
    for (at, refusal) in refused.iter().enumerate() {
        let text = refusal.to_string();
        assert!(text.contains("perf_event_open") && !refusal.remedy().is_empty(), "{text}");
        assert!(refusal.errno.is_some(), "{text}");
        assert!(
            refused[..at]
                .iter()
                .all(|other| other.errno != refusal.errno || other.message != refusal.message)
        );
    }
}

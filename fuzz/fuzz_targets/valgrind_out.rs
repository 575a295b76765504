//! Files of Cachegrind and Callgrind: whatever they hold, they are read or refused, and what was read comes back when it is written.
#![no_main]

use fencepost::cachegrind::{Event, Format, MissShares, OutFile, Summary};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let file = match OutFile::from_text(&text) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.to_string().starts_with("the text holds no counts: "), "{error}");
            return;
        }
    };
    assert!(file.totals.has(Event::Ir), "there is no file without instructions");
    let summary = Summary::of(&file.totals);
    assert!(summary.l1 <= summary.accesses && summary.instructions <= summary.accesses);
    assert!(summary.estimated_cycles() >= summary.l1.max(summary.l2).max(summary.ram));
    let shares = MissShares::of(&file.totals);
    let shares = [shares.i1, shares.lli, shares.d1, shares.lld, shares.ll];
    assert!(shares.iter().chain(&summary.hit_shares()).all(|share| share.is_finite() && *share >= 0.0));
    assert_eq!(file.totals.without(&file.totals).iter().map(|(_, count)| count).max(), Some(0));

    // The same counts in a file of this tool are read as the same.
    let events: Vec<&str> = file.totals.iter().map(|(event, _)| event.name()).collect();
    let counts: Vec<String> = file.totals.iter().map(|(_, count)| count.to_string()).collect();
    let end = match file.format {
        Format::Cachegrind => "summary",
        Format::Callgrind => "positions: line\ntotals",
    };
    let written = format!("events: {}\nfn=f\n{end}: {}\n", events.join(" "), counts.join(" "));
    let again = OutFile::from_text(&written).expect("it was written as such files are");
    assert_eq!((again.format, again.totals), (file.format, file.totals), "{written}");

    // And cut, it is none.
    assert!(OutFile::from_text(written.trim_end()).is_err(), "{written}");
});

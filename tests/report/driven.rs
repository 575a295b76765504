//! What does a person see who opens the report, filters, sorts and opens a benchmark?

use serde_json::{Value, json};

use super::browser::Browser;
use super::{Kind, counted, ladder, page, record, result, thousand, usual};
use crate::common::Scratch;

const SHOWN: &str = "return [...document.querySelectorAll('#sum tbody tr')].filter(r => r.checkVisibility()) \
                     .map(r => r.cells[0].innerText)";
const TOLD: &str = "return document.getElementById('told').innerText";
const OPENED: &str = "return document.querySelectorAll('#list details[open] svg').length > 0";

#[test]
fn a_person_can_filter_sort_and_open_a_benchmark() {
    let Some(browser) = Browser::start("driven", 1280, false) else { return };
    let scratch = Scratch::new("report-driven");
    let (path, _) = page(&scratch, &[usual()]);
    let url = format!("file://{}", path.display());
    browser.open(&url);
    assert_eq!(browser.run("return document.title"), "fencepost report", "no name ran as a script");
    let shown = SHOWN.to_owned() + ".length";
    browser.sees(&shown, &json!(10));
    browser.sees(TOLD, &json!("10 of 10 shown"));

    browser.write("#filter", "MIX");
    browser.sees(SHOWN, &json!(["mix/latency", "mix/throughput"]));
    browser.sees(TOLD, &json!("2 of 10 shown"));
    let parts =
        "return [...document.querySelectorAll('#list details')].filter(d => d.checkVisibility()).length";
    browser.sees(parts, &json!(2));

    // By cost, upwards and downwards.
    browser.click("#sum thead th:nth-child(3) button");
    browser.sees(SHOWN, &json!(["mix/throughput", "mix/latency"]));
    browser.click("#sum thead th:nth-child(3) button");
    browser.sees(SHOWN, &json!(["mix/latency", "mix/throughput"]));
    let sorted = "return document.querySelector('#sum thead th:nth-child(3)').getAttribute('aria-sort')";
    browser.sees(sorted, &json!("descending"));

    // The name leads to the benchmark, which opens with its plots in view.
    browser.click("#sum tbody tr:not([hidden]) a");
    browser.sees(OPENED, &json!(true));
    let opened = browser.run(
        "const d = document.querySelector('#list details[open]'); const b = (e) => e.getBoundingClientRect(); \
         return [d.querySelector('bdi').innerText, [...d.querySelectorAll('svg')].map(s => [b(s).width, b(s).height])]",
    );
    assert_eq!(opened[0], "mix/latency");
    let plots = opened[1].as_array().expect("plots");
    assert_eq!(plots.len(), 4, "{opened}");
    assert!(
        plots.iter().all(|size| size[0].as_f64() > Some(250.0) && size[1].as_f64() > Some(50.0)),
        "{opened}"
    );
    let discarded =
        "const b = document.querySelector('#list details[open] svg .f3'); return getComputedStyle(b).fill";
    assert!(
        browser.run(discarded).as_str().is_some_and(|color| color.starts_with("rgb")),
        "discarded are drawn in colour"
    );

    // With keys alone: Escape clears the filter, the summary row opens and closes.
    browser.write("#filter", "\u{e00c}");
    browser.sees(&shown, &json!(10));
    browser.write("#b1 summary", "\u{e007}");
    browser.sees("return document.getElementById('b1').open", &json!(true));

    // Light, then dark.
    let ground = "return getComputedStyle(document.body).backgroundColor";
    browser.click("#theme");
    browser.sees(ground, &json!("rgb(255, 255, 255)"));
    browser.click("#theme");
    browser.sees(ground, &json!("rgb(20, 22, 26)"));

    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");
    let requests = browser.requests();
    let outside: Vec<&String> =
        requests.iter().filter(|one| !one.starts_with(&url) && !one.starts_with("data:")).collect();
    assert!(outside.is_empty() && requests.contains(&url), "{requests:?}");
}

#[test]
fn a_person_sees_the_loop_the_prediction_and_what_was_compared() {
    let Some(browser) = Browser::start("loop", 1280, false) else { return };
    let scratch = Scratch::new("report-loop");
    let (path, _) = page(&scratch, &[usual()]);
    browser.open(&format!("file://{}", path.display()));
    // The parts of the page are a click away.
    browser.click("nav a[href='#compared']");
    browser.sees(
        "const b = document.querySelector('table.versus').getBoundingClientRect(); return b.top >= 0 && b.top < innerHeight",
        &json!(true),
    );
    let compared = browser.run(
        "const t = document.querySelector('table.versus'); \
         return [...t.tBodies[0].rows].map(r => [r.cells[2].innerText, r.cells[5].innerText, \
         getComputedStyle(r.cells[5]).color, r.querySelectorAll('svg rect').length])",
    );
    assert_eq!((&compared[0][0], &compared[0][1]), (&json!("0.50"), &json!("faster")), "{compared}");
    assert_eq!((&compared[1][0], &compared[1][1]), (&json!("1.75"), &json!("slower")), "{compared}");
    assert_ne!(compared[0][2], compared[1][2], "faster and slower differ in colour");
    assert_eq!(compared[0][3], 2, "an interval and its estimate are drawn");

    browser.click("#sum tbody tr:first-child a");
    browser.sees(OPENED, &json!(true));
    let seen = browser.run(
        "const d = document.getElementById('b0'); const p = d.querySelector('pre'); \
         const marks = [...d.querySelectorAll('.plots rect.f12')].map(r => r.getBoundingClientRect().left); \
         const bars = [...d.querySelectorAll('.plots rect.f2')].map(r => r.getBoundingClientRect().right); \
         return { lines: p.innerText.trim().split('\\n'), on: [...p.querySelectorAll('.on')].map(e => e.innerText.trim()), \
           color: getComputedStyle(p.querySelector('.on')).color !== getComputedStyle(p).color, \
           mark: marks.length === 1 && marks[0] > bars[0], facts: d.querySelector('dl').innerText, \
           caption: d.querySelector('.loop figcaption').innerText, text: d.innerText }",
    );
    let lines = seen["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 7, "{seen}");
    assert_eq!((&lines[0], &lines[6]), (&json!("+0x0000  movq %rax, %rcx"), &json!("... 3 more")));
    assert_eq!(seen["on"], json!(["+0x0004  imulq %rbx, %rax", "+0x000c  imulq %rbx, %rax"]));
    assert_eq!((&seen["color"], &seen["mark"]), (&json!(true), &json!(true)), "{seen}");
    let text = |name: &str| seen[name].as_str().unwrap_or_default().to_owned();
    assert!(text("facts").contains("13.50 cyc by llvm-mca 14.0.6 for znver3: disagrees"), "{seen}");
    assert!(text("caption").contains("timed::<T>") && text("caption").contains("0.38 a cycle"), "{seen}");
    assert!(text("text").contains("mix/latency costs 0.5 times what <script>"), "{seen}");
    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");
}

#[test]
fn a_person_sees_the_ladder_with_its_borders_and_the_counts() {
    let Some(browser) = Browser::start("ladder", 1280, true) else { return };
    let scratch = Scratch::new("report-ladder-seen");
    let (path, _) = page(&scratch, &[ladder()]);
    browser.open(&format!("file://{}", path.display()));
    browser.click("nav a[href='#ladder']");
    let seen = browser.run(
        "const f = [...document.querySelectorAll('figure')]; const s = f[0].querySelector('svg'); \
         const x = (e) => { const b = e.getBoundingClientRect(); return (b.left + b.right) / 2; }; \
         return { titles: f.map(e => e.querySelector('svg').getAttribute('aria-label')), \
           texts: [...s.querySelectorAll('text')].map(e => e.textContent.trim()), \
           dots: s.querySelectorAll('circle.f8').length, \
           told: [...s.querySelectorAll('path.s13')].map(x), seen: [...s.querySelectorAll('rect.f9')].map(x), \
           dashed: getComputedStyle(s.querySelector('path.s13')).strokeDasharray, \
           high: [...s.querySelectorAll('circle.f8')].map(c => c.getBoundingClientRect().top) }",
    );
    assert_eq!(
        seen["titles"],
        json!(["Load-to-use latency by working set", "Bandwidth by working set"]),
        "{seen}"
    );
    let texts: Vec<&str> =
        seen["texts"].as_array().expect("texts").iter().filter_map(Value::as_str).collect();
    for expected in ["cyc", "L1 32K", "L2 512K", "L3 32M", "4K", "100"] {
        assert!(texts.contains(&expected), "{expected} is not in {texts:?}");
    }
    assert_eq!(seen["dots"], 17);
    assert_ne!(seen["dashed"], "none");
    // Where CPUID and the data agree the line stands in the band; a cost that rises is drawn higher.
    let numbers = |name: &str| -> Vec<f64> {
        seen[name].as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
    };
    let (told, borders, high) = (numbers("told"), numbers("seen"), numbers("high"));
    assert_eq!((told.len(), borders.len()), (3, 3), "{seen}");
    assert!(told.iter().zip(&borders).all(|(a, b)| (a - b).abs() < 3.0), "{seen}");
    assert!(high.first() > high.last(), "{seen}");
    // The figures are there for whoever reads tables.
    browser.click("details.more summary");
    browser.sees("return document.querySelector('details.more').open", &json!(true));
    let rows = browser.run(
        "return [...document.querySelectorAll('details.more tbody tr')].filter(r => r.checkVisibility()) \
         .map(r => [...r.cells].map(c => c.innerText).slice(0, 3))",
    );
    assert_eq!(rows.as_array().map(Vec::len), Some(17), "{rows}");
    assert_eq!(rows[0], json!(["1K", "L1", "4.00"]));
    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");

    let (path, _) = page(&scratch, &[counted(12.5)]);
    browser.open(&format!("file://{}", path.display()));
    browser.sees(
        "return [...document.querySelectorAll('#sum th')].map(e => e.innerText.trim())",
        &json!(["benchmark", "kind", "instr", "L1", "L2", "RAM", "est. cyc", "verdict"]),
    );
    browser.click("#sum thead th:nth-child(3) button");
    browser.sees(SHOWN, &json!(["other", "mix/latency"]));
    browser.click("#sum tbody tr:last-child a");
    browser.sees(OPENED, &json!(true));
    let counts = browser.run(
        "const d = document.querySelector('#list details[open]'); const r = [...d.querySelectorAll('table tbody tr')]; \
         return [r.map(e => e.cells[1].innerText), [...d.querySelectorAll('.bar1 rect')].map(e => e.getBoundingClientRect().width)]",
    );
    assert_eq!(counts[0], json!(["12.5", "99"]));
    let widths: Vec<f64> = counts[1].as_array().expect("bars").iter().filter_map(Value::as_f64).collect();
    assert!(widths.len() == 3 && widths[2] > widths[0] && widths[0] > widths[1], "{counts}");
    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");
}

#[test]
fn printing_opens_what_is_closed() {
    let Some(browser) = Browser::start("print", 1280, true) else { return };
    let scratch = Scratch::new("report-print");
    let (path, _) = page(&scratch, &[usual(), ladder()]);
    browser.open(&format!("file://{}", path.display()));
    let pdf = browser.print();
    assert!(pdf.starts_with("JVBERi0"), "that is how a PDF begins in base 64");
    let opened = "return [...document.querySelectorAll('details')].every(one => one.open)";
    browser.sees(opened, &json!(true));
    // On A4 less its margins, dark on white whatever the screen was.
    browser.paper(718);
    let found = browser.run(CUT);
    assert_eq!(found[1], json!([]), "on paper of {}", found[0]);
    let ground = "return [getComputedStyle(document.body).backgroundColor, document.getElementById('filter').checkVisibility(), \
                  [...document.querySelectorAll('#sum th button')].every(b => b.checkVisibility() && b.innerText)]";
    browser.sees(ground, &json!(["rgb(255, 255, 255)", false, true]));
    browser.picture("paper.png");
}

#[test]
fn a_thousand_benchmarks_can_be_filtered_sorted_and_opened() {
    let Some(browser) = Browser::start("large", 1280, false) else { return };
    let scratch = Scratch::new("report-large-seen");
    let (path, _) = page(&scratch, &[thousand()]);
    browser.open(&format!("file://{}", path.display()));
    browser.sees(TOLD, &json!("1000 of 1000 shown"));
    // Each with what the browser takes to lay out what has changed.
    let timed = |what: &str, script: &str| {
        let took = browser.run(&format!(
            "const t = performance.now(); {script}; document.body.offsetHeight; return performance.now() - t"
        ));
        println!("1000 benchmarks of 1000 samples, {what}: {:.0} ms", took.as_f64().expect("a time"));
    };
    let load = browser.run("return performance.getEntriesByType('navigation')[0].domComplete");
    println!("1000 benchmarks of 1000 samples, loaded: {load} ms");
    let filter = "const f = document.getElementById('filter'); f.value = 'group49 latency'; f.dispatchEvent(new Event('input'))";
    timed("filtered", filter);
    // Of group49 and group490 to group499.
    browser.sees(&(SHOWN.to_owned() + ".length"), &json!(11));
    timed("filter taken away", &filter.replace("group49 latency", ""));
    timed("sorted", "document.querySelector('#sum thead th:nth-child(3) button').click()");
    let ends = browser.run("const c = [...document.querySelectorAll('#sum tbody tr')].map(r => parseFloat(r.cells[2].dataset.v)); \
                            return c.every((v, i) => i === 0 || c[i - 1] <= v) && c.length === 1000");
    assert_eq!(ends, true, "by cost");
    timed("all opened", "document.getElementById('all').click()");
    browser.sees("return document.querySelectorAll('#list details[open]').length", &json!(200));
    timed("scrolled to the end", "scrollTo(0, document.body.scrollHeight)");
    browser.click("#list details:last-child summary");
    let last =
        "return document.querySelector('#list details:last-child svg').getBoundingClientRect().width > 250";
    browser.sees(last, &json!(true));
    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");
}

/// Elements that reach out of the window, and texts that lie on one another.
const CUT: &str = "const wide = document.documentElement.clientWidth; const out = []; \
    const scrolls = (e) => e.closest('.wide, pre'); \
    for (const e of document.querySelectorAll('body *')) { const b = e.getBoundingClientRect(); \
      if (b.width && !scrolls(e) && (b.right > wide + 1 || b.left < -1)) out.push(e.tagName + ' ' + b.left + ' ' + b.right); } \
    for (const s of [...document.querySelectorAll('svg')].filter(s => s.checkVisibility())) { const f = s.getBoundingClientRect(); \
      const t = [...s.querySelectorAll('text')].map(e => e.getBoundingClientRect()); \
      t.forEach((a, i) => { if (a.left < f.left - 1 || a.right > f.right + 1 || a.top < f.top - 3 || a.bottom > f.bottom + 1) \
          out.push('cut ' + s.getAttribute('aria-label') + ' ' + s.querySelectorAll('text')[i].textContent); \
        t.slice(i + 1).forEach((b, k) => { if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) \
          out.push('overlap ' + s.getAttribute('aria-label') + ' ' + s.querySelectorAll('text')[i].textContent + '/' + s.querySelectorAll('text')[i + 1 + k].textContent); }); }); } \
    if (document.documentElement.scrollWidth > wide) out.push('scrolls sideways: ' + document.documentElement.scrollWidth); \
    return [wide, out]";

#[test]
fn nothing_is_cut_or_overlaps_on_narrow_and_wide_screens_light_and_dark() {
    let scratch = Scratch::new("report-widths");
    let newer = record(vec![result("mix/latency", Kind::Latency, 14.0, 100)]);
    let mut elsewhere = newer.clone();
    elsewhere.machine.microarchitecture = Some("Golden Cove".to_owned());
    let pages = [
        ("one", vec![usual()]),
        ("all", vec![usual(), newer.clone(), ladder(), counted(12.5)]),
        ("baseline", vec![usual(), newer]),
        ("machines", vec![usual(), elsewhere]),
        ("counts", vec![counted(12.5)]),
        ("ladder", vec![ladder()]),
    ];
    let Some(browser) = Browser::start("widths", 1280, false) else { return };
    for (name, runs) in pages {
        let (path, _) = page(&scratch, &runs);
        for (theme, ground) in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 22, 26)")] {
            for width in [360, 1280, 1920] {
                browser.screen(width, theme);
                // Opened at this width, and so as nobody has touched it.
                browser.open("about:blank");
                browser.open(&format!("file://{}", path.display()));
                // The theme of the system.
                browser.sees("return getComputedStyle(document.body).backgroundColor", &json!(ground));
                for open in [false, true] {
                    browser
                        .run(&format!("document.querySelectorAll('details').forEach(d => d.open = {open})"));
                    let found = browser.run(CUT);
                    // A scroll bar takes its part.
                    assert!(
                        found[0].as_u64().is_some_and(|seen| seen <= width && seen + 20 > width),
                        "{found}"
                    );
                    assert_eq!(found[1], json!([]), "{name} at {width}, {theme}, open: {open}");
                    let extent = if open { "open" } else { "closed" };
                    browser.picture(&format!("{name}-{width}-{theme}-{extent}.png"));
                }
            }
        }
    }
}

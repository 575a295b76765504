//! What does a person see who opens the report, filters, sorts and opens a benchmark?

use serde_json::{Value, json};

use super::browser::Browser;
use super::{Kind, Scratch, page, record, result, usual};

const SHOWN: &str = "return [...document.querySelectorAll('#sum tbody tr')].filter(r => r.checkVisibility()) \
                     .map(r => r.cells[0].innerText)";

#[test]
fn a_person_can_filter_sort_and_open_a_benchmark() {
    let Some(browser) = Browser::start("driven", 1280, false) else { return };
    let scratch = Scratch::new("driven");
    let (path, _) = page(&scratch, &[usual()]);
    let url = format!("file://{}", path.display());
    browser.open(&url);
    assert_eq!(browser.run("return document.title"), "fencepost report", "no name ran as a script");
    let all = browser.run(SHOWN);
    assert_eq!(all.as_array().map(Vec::len), Some(10), "{all}");
    assert_eq!(browser.run("return document.getElementById('told').innerText"), "10 of 10 shown");

    browser.write("#filter", "MIX");
    assert_eq!(browser.run(SHOWN), json!(["mix/latency", "mix/throughput"]));
    assert_eq!(browser.run("return document.getElementById('told').innerText"), "2 of 10 shown");
    let parts =
        "return [...document.querySelectorAll('#list details')].filter(d => d.checkVisibility()).length";
    assert_eq!(browser.run(parts), 2);

    // By cost, upwards and downwards.
    browser.click("#sum thead th:nth-child(3) button");
    assert_eq!(browser.run(SHOWN), json!(["mix/throughput", "mix/latency"]));
    browser.click("#sum thead th:nth-child(3) button");
    assert_eq!(browser.run(SHOWN), json!(["mix/latency", "mix/throughput"]));
    let sorted = "return document.querySelector('#sum thead th:nth-child(3)').getAttribute('aria-sort')";
    assert_eq!(browser.run(sorted), "descending");

    // The name leads to the benchmark, which opens with its plots in view.
    browser.click("#sum tbody tr:not([hidden]) a");
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
    assert_eq!(browser.run(SHOWN).as_array().map(Vec::len), Some(10));
    browser.write("#b1 summary", "\u{e007}");
    assert_eq!(browser.run("return document.getElementById('b1').open"), true);

    // Light, then dark.
    let ground = "return getComputedStyle(document.body).backgroundColor";
    browser.click("#theme");
    assert_eq!(browser.run(ground), "rgb(255, 255, 255)");
    browser.click("#theme");
    assert_eq!(browser.run(ground), "rgb(20, 22, 26)");

    assert_eq!(browser.console(), Vec::<String>::new(), "the console is quiet");
    let requests = browser.requests();
    let outside: Vec<&String> =
        requests.iter().filter(|one| !one.starts_with(&url) && !one.starts_with("data:")).collect();
    assert!(outside.is_empty() && requests.contains(&url), "{requests:?}");
}

/// Elements that reach out of the window, and texts that lie on one another.
const CUT: &str = "const wide = document.documentElement.clientWidth; const out = []; \
    const scrolls = (e) => e.closest('.wide'); \
    for (const e of document.querySelectorAll('body *')) { const b = e.getBoundingClientRect(); \
      if (b.width && !scrolls(e) && (b.right > wide + 1 || b.left < -1)) out.push(e.tagName + ' ' + b.left + ' ' + b.right); } \
    for (const s of document.querySelectorAll('details[open] svg')) { const f = s.getBoundingClientRect(); \
      const t = [...s.querySelectorAll('text')].map(e => e.getBoundingClientRect()); \
      t.forEach((a, i) => { if (a.left < f.left - 1 || a.right > f.right + 1 || a.top < f.top - 3 || a.bottom > f.bottom + 1) \
          out.push('cut ' + s.getAttribute('aria-label') + ' ' + s.querySelectorAll('text')[i].textContent); \
        t.slice(i + 1).forEach((b, k) => { if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2) \
          out.push('overlap ' + s.getAttribute('aria-label') + ' ' + s.querySelectorAll('text')[i].textContent + '/' + s.querySelectorAll('text')[i + 1 + k].textContent); }); }); } \
    return [wide, out]";

#[test]
fn nothing_is_cut_or_overlaps_on_narrow_and_wide_screens() {
    let scratch = Scratch::new("widths");
    let newer = record(vec![result("mix/latency", Kind::Latency, 14.0, 100)]);
    let (path, _) = page(&scratch, &[usual(), newer]);
    let Some(browser) = Browser::start("widths", 1280, true) else { return };
    browser.open(&format!("file://{}", path.display()));
    assert_eq!(
        browser.run("return getComputedStyle(document.body).backgroundColor"),
        "rgb(20, 22, 26)",
        "dark where the system is"
    );
    browser.run("document.querySelectorAll('details').forEach(d => d.open = true)");
    for width in [500, 1280, 1920] {
        browser.session_size(width);
        let found = browser.run(CUT);
        assert_eq!(found[1], Value::Array(Vec::new()), "at {}", found[0]);
    }
    // No window is narrower than 500; a frame is.
    let frame = format!(
        "document.body.innerHTML = '<iframe style=\"width:360px;height:2000px;border:0\"></iframe>'; \
         const page = {}; const f = document.querySelector('iframe').contentDocument; f.open(); f.write(page); f.close(); \
         f.querySelectorAll('details').forEach(d => d.open = true); \
         return ((document) => {{ {CUT} }})(f)",
        json!(
            std::fs::read_to_string(&path)
                .expect("a page")
                .replace("<script>", "<script type=\"text/plain\">")
        )
    );
    browser.open("about:blank");
    let found = browser.run(&frame);
    // A scroll bar takes its part.
    assert!(found[0].as_u64() <= Some(360) && found[1] == json!([]), "{found}");
}

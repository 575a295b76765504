"use strict";
(() => {
  const root = document.documentElement;
  const themes = ["auto", "light", "dark"], theme = document.getElementById("theme");
  const show = (name) => {
    if (name === "auto") delete root.dataset.theme; else root.dataset.theme = name;
    theme.textContent = "Theme: " + name;
    theme.dataset.now = name;
  };
  let kept = "auto";
  try { kept = localStorage.getItem("fencepost-theme") || "auto"; } catch { /* a page from a file may not keep anything */ }
  show(themes.includes(kept) ? kept : "auto");
  theme.addEventListener("click", () => {
    const next = themes[(themes.indexOf(theme.dataset.now) + 1) % themes.length];
    show(next);
    try { localStorage.setItem("fencepost-theme", next); } catch { /* as above */ }
  });
  addEventListener("beforeprint", () => document.querySelectorAll("details.more").forEach((one) => { one.open = true; }));
  const table = document.getElementById("sum");
  if (!table) return;
  const body = table.tBodies[0], rows = [...body.rows];
  const filter = document.getElementById("filter"), told = document.getElementById("told");
  const part = (row) => document.getElementById(row.dataset.i);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, at) => {
      const fits = words.every((word) => texts[at].includes(word));
      row.hidden = !fits;
      part(row).hidden = !fits;
      if (fits) shown += 1;
    });
    told.textContent = shown + " of " + rows.length + " shown";
  };
  filter.addEventListener("input", narrow);
  narrow();
  const key = (row, at) => {
    const cell = row.cells[at];
    return cell.dataset.v === undefined ? cell.textContent : parseFloat(cell.dataset.v);
  };
  const compare = (a, b) => {
    if (typeof a === "string" || typeof b === "string") return String(a).localeCompare(String(b), "en", { numeric: true });
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return a - b;
  };
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, at) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") === "ascending";
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const sorted = rows.map((row) => [key(row, at), row]).sort((a, b) => compare(a[0], b[0]) * (down ? -1 : 1));
    body.append(...sorted.map((one) => one[1]));
    document.getElementById("list").append(...sorted.map((one) => part(one[1])));
  }));
  const open = () => {
    const found = /^#b\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
    if (found) { found.open = true; found.scrollIntoView(); found.querySelector("summary").focus({ preventScroll: true }); }
  };
  addEventListener("hashchange", open);
  body.addEventListener("click", (event) => { if (event.target.closest("a")) setTimeout(open); });
  open();
  addEventListener("keydown", (event) => {
    if (event.key === "/" && event.target !== filter) { event.preventDefault(); filter.focus(); }
    if (event.key === "Escape" && event.target === filter) { filter.value = ""; narrow(); }
  });
  document.getElementById("all").addEventListener("click", (event) => {
    const shown = rows.map(part).filter((one) => !one.hidden), opens = shown.some((one) => !one.open);
    shown.slice(0, 200).forEach((one) => { one.open = opens; });
    event.target.textContent = opens ? "Close all" : "Open all";
  });
  addEventListener("beforeprint", () => rows.slice(0, 200).forEach((row) => { if (!row.hidden) part(row).open = true; }));
})();

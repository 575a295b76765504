//! How does a machine's state fit one screen? Facts, a second's figures, and findings that grow shorter until all fit.

use fencepost::record::text::{inert, wrap};
use fencepost::record::{Finding, Severity};

use super::Report;

/// Lines of a screen.
const LINES: usize = 60;
/// Longer lines are hard to read; shorter ones hold nothing.
const WIDTHS: std::ops::RangeInclusive<usize> = 60..=120;
/// Where the text behind a name begins.
const INDENT: usize = 12;

/// How much of the findings is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    All,
    /// Notes in a line each.
    NotesBrief,
    /// Everything in a line each.
    Brief,
}

/// The page: at most 60 lines.
pub(super) fn page(report: &Report, width: usize) -> String {
    let width = width.clamp(*WIDTHS.start(), *WIDTHS.end());
    let mut lines = Vec::new();
    for detail in [Detail::All, Detail::NotesBrief, Detail::Brief] {
        lines = head(report, width);
        findings(&mut lines, &report.record.findings, width, detail);
        if lines.len() <= LINES {
            break;
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES - 1);
        lines.push("... and more: fencepost doctor --json has all of it".to_owned());
    }
    lines.join("\n") + "\n"
}

fn head(report: &Report, width: usize) -> Vec<String> {
    let record = &report.record;
    let (machine, calibration) = (&record.machine, &record.calibration);
    let mut lines = Vec::new();
    match (&report.refusal, &calibration.cycle_source, &report.figures) {
        (Some(error), ..) => {
            lines.extend(wrap(&format!("CANNOT MEASURE HERE: {}", inert(&error.to_string())), width));
        }
        (None, _, None) => lines.push("By its description this machine can measure.".to_owned()),
        (None, Some(source), _) => {
            lines.push(format!("This machine can measure core cycles, by {}.", inert(source)));
        }
        (None, None, _) => {
            lines.push("This machine can measure ticks alone: core cycles may not be claimed.".to_owned())
        }
    }
    lines.push(String::new());
    let mut row = |name: &str, text: String| {
        for (at, line) in wrap(&text, width - INDENT).into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            lines.push(format!("{name:<INDENT$}{line}"));
        }
    };
    let mut cpu = inert(&machine.brand);
    if cpu.is_empty() {
        cpu = format!("{} family {:#x} model {:#x}", inert(&machine.vendor), machine.family, machine.model);
    }
    if let Some(name) = &machine.microarchitecture {
        cpu.push_str(&format!(", {}", inert(name)));
    }
    if let Some(llvm) = &machine.llvm_cpu {
        cpu.push_str(&format!(" ({})", inert(llvm)));
    }
    match &machine.hypervisor {
        Some(name) => cpu.push_str(&format!(", under {}", inert(name))),
        None => cpu.push_str(", no hypervisor"),
    }
    row("machine", cpu);
    let cpus = if machine.cpus == 1 { "CPU" } else { "CPUs" };
    row("system", format!("{} logical {cpus}, Linux {}", machine.cpus, inert(&machine.kernel)));
    if calibration.tsc_hz.is_finite() {
        let error = calibration
            .tsc_hz_error_ppm
            .map_or_else(String::new, |error| format!(" to {:.0} ppm", error.max(1.0)));
        let step = if calibration.tsc_step_ticks.is_finite() {
            format!(", in steps of {:.1} ticks", calibration.tsc_step_ticks)
        } else {
            String::new()
        };
        let source = inert(&calibration.tsc_hz_source);
        row("counter", format!("TSC {:.2} MHz{error} ({source}){step}", calibration.tsc_hz / 1e6));
    }
    if calibration.fence_overhead_ticks.is_finite() {
        row(
            "fence pair",
            format!(
                "{:.0} ticks around nothing, {:.0} in the median; LFENCE {}",
                calibration.fence_overhead_ticks,
                calibration.fence_overhead_median_ticks,
                inert(&calibration.lfence)
            ),
        );
    }
    if let Some(ruler) = &calibration.ruler {
        let word = if ruler.agrees { "they agree" } else { "THEY DISAGREE" };
        let source = calibration.cycle_source.as_deref().unwrap_or("none");
        row(
            "cycles",
            format!(
                "{}; additions 1, multiplications {:.3} cycles a link: {word}",
                inert(source),
                ruler.imul
            ),
        );
    }
    if let Some(figures) = &report.figures {
        let kind =
            calibration.core_type.as_ref().map_or_else(String::new, |kind| format!(" ({})", inert(kind)));
        lines.push(String::new());
        lines.push(format!("CPU {}{kind} for {:.1} s:", calibration.core, figures.secs));
        let mut row = |name: &str, text: String| lines.push(format!("{name:<INDENT$}{text}"));
        if let Some(([least, median, most], movement)) = figures.clock_mhz.zip(figures.movement_pct()) {
            row("clock", format!("{median:.0} MHz, from {least:.0} to {most:.0}: moved by {movement:.2} %"));
        }
        row(
            "gauge",
            format!(
                "{:.2} NOPs a cycle at best; quiet {:.0} % of the time",
                figures.nops_per_cycle,
                100.0 * figures.quiet
            ),
        );
        row("", format!("the median gauge took {:.1} % longer than a quiet one", figures.slowed_pct));
        row(
            "interrupts",
            format!("{:.0} rulers a second were off by a tenth or more", figures.interrupts_per_sec),
        );
        let stolen = figures
            .stolen
            .map_or_else(|| "not told by the kernel".to_owned(), |stolen| format!("{:.1} %", 100.0 * stolen));
        row("stolen", stolen);
        if figures.survey.len() > 1 {
            let cores: Vec<String> = figures
                .survey
                .iter()
                .take(8)
                .map(|(core, quiet)| format!("CPU {core} {:.0} %", 100.0 * quiet))
                .collect();
            let more = if figures.survey.len() > 8 { ", ..." } else { "" };
            for (at, line) in
                wrap(&format!("{}{more} quiet in a short look", cores.join(", ")), width - INDENT)
                    .into_iter()
                    .enumerate()
            {
                let name = if at == 0 { "cores" } else { "" };
                lines.push(format!("{name:<INDENT$}{line}"));
            }
        }
    }
    lines
}

fn findings(lines: &mut Vec<String>, found: &[Finding], width: usize, detail: Detail) {
    lines.push(String::new());
    if found.is_empty() {
        lines.push("Nothing was found that disturbs.".to_owned());
        return;
    }
    lines.push("What disturbs, the worst first:".to_owned());
    for finding in found {
        let brief = match detail {
            Detail::All => false,
            Detail::NotesBrief => finding.severity == Severity::Note,
            Detail::Brief => true,
        };
        let title = format!("{} {}: {}", finding.severity, inert(&finding.id), inert(&finding.value));
        if brief {
            // What was seen now is worth more than what it does in general.
            let now = finding.effect.split_once("; now: ").map(|(_, now)| format!("; {}", inert(now)));
            let mend = finding.remedy.as_deref().map(|mend| format!(". Mend: {}", inert(mend)));
            let text = format!("{title}{}{}", now.unwrap_or_default(), mend.unwrap_or_default());
            paragraph(lines, &text, width, "- ", "    ");
        } else {
            paragraph(lines, &title, width, "- ", "    ");
            paragraph(lines, &inert(&finding.effect), width, "    ", "    ");
            if let Some(mend) = &finding.remedy {
                paragraph(lines, &format!("Mend: {}", inert(mend)), width, "    ", "      ");
            }
        }
    }
}

fn paragraph(lines: &mut Vec<String>, text: &str, width: usize, first: &str, rest: &str) {
    for (at, line) in wrap(text, width - rest.len()).into_iter().enumerate() {
        lines.push(format!("{}{line}", if at == 0 { first } else { rest }));
    }
}

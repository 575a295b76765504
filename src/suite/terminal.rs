//! Is somebody looking, how wide is their window, and do they want colour?

use std::io::IsTerminal;

/// When to colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Color {
    #[default]
    Auto,
    Always,
    Never,
}

/// What tables take where nothing is known of the reader.
const DEFAULT_WIDTH: usize = 80;

impl Color {
    /// Whether to colour what goes to `stream`: as asked; else on a terminal, unless NO_COLOR or a dumb terminal say otherwise.
    pub(super) fn wanted(self, stream: &impl IsTerminal) -> bool {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => stream.is_terminal() && !no_color && !dumb,
        }
    }
}

/// Columns for a page on standard output: COLUMNS, else the terminal's, else 80.
pub(crate) fn page_width() -> usize {
    let shown = std::io::stdout().is_terminal();
    told().or_else(|| shown.then(|| window(libc::STDOUT_FILENO)).flatten()).unwrap_or(DEFAULT_WIDTH)
}

/// Columns for a line on standard error.
pub(super) fn line_width() -> usize {
    window(libc::STDERR_FILENO).or_else(told).unwrap_or(DEFAULT_WIDTH)
}

fn told() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| (1..=10_000).contains(columns))
}

fn window(descriptor: i32) -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: TIOCGWINSZ writes one `winsize` to the pointer, which is valid for it; any descriptor may be asked.
    let answered = unsafe { libc::ioctl(descriptor, libc::TIOCGWINSZ, &raw mut size) } == 0;
    (answered && size.ws_col > 0).then(|| usize::from(size.ws_col))
}

/// An ANSI style.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Bold,
    Red,
    Green,
    Yellow,
}

impl Style {
    /// The text in this style, or as it is.
    pub(super) fn paint(self, text: &str, on: bool) -> String {
        let code = match self {
            Style::Bold => 1,
            Style::Red => 31,
            Style::Green => 32,
            Style::Yellow => 33,
        };
        if on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

//! How does help fit a screen? Its lines are wrapped at 80 columns, behind where their description begins.

/// What every terminal has.
const WIDTH: usize = 80;

/// Help as clap writes it, each long line continued under its description; paragraphs with such a line are filled anew.
pub(crate) fn wrapped(help: &str) -> String {
    let mut text = String::with_capacity(help.len() + help.len() / 16);
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    for part in lines.split_inclusive(|line| line.is_empty()) {
        let is_prose = |line: &&str| !line.starts_with([' ', '-']) && !line.starts_with("Usage: ");
        let prose = part.iter().take_while(|line| !line.is_empty());
        if prose.clone().all(is_prose) && prose.clone().any(|line| line.chars().count() > WIDTH) {
            wrap(&mut text, &prose.copied().collect::<Vec<_>>().join(" "));
            part.iter().filter(|line| line.is_empty()).for_each(|_| text.push('\n'));
        } else {
            part.iter().for_each(|line| wrap(&mut text, line));
        }
    }
    text
}

fn wrap(text: &mut String, line: &str) {
    let hang = hang(line);
    let mut column = 0;
    // Spaces belong to the word behind them, so that columns of an option and its description stay.
    for piece in line.split_inclusive(|c: char| c != ' ').fold(Vec::<String>::new(), join) {
        let width = piece.chars().count();
        if column > hang && column + width > WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(hang));
            text.push_str(piece.trim_start());
            column = hang + piece.trim_start().chars().count();
        } else {
            text.push_str(&piece);
            column += width;
        }
    }
    text.push('\n');
}

/// Puts letters together to words, each with the spaces before it; what stands in brackets is one.
fn join(mut words: Vec<String>, piece: &str) -> Vec<String> {
    let is_open = |word: &String| word.contains("[--") && !word.contains(']');
    match words.last_mut() {
        Some(last) if !piece.starts_with(' ') || is_open(last) => last.push_str(piece),
        _ => words.push(piece.to_owned()),
    }
    words
}

/// The column at which a line goes on: under its description, which two spaces set off, or under its beginning.
fn hang(line: &str) -> usize {
    let indent = line.chars().take_while(|c| *c == ' ').count();
    if line.starts_with("Usage: ") {
        return "Usage: ".len();
    }
    let rest = line.get(indent..).unwrap_or_default();
    if let Some(item) = rest.strip_prefix("- ") {
        // A value, a colon, and what it means.
        let name = item.split_once(':').map_or(0, |(name, _)| name.chars().count() + 1);
        let gap = item.chars().skip(name).take_while(|c| *c == ' ').count();
        return indent + 2 + name + gap;
    }
    let description = rest.find("  ").map(|gap| {
        let spaces = rest.get(gap..).unwrap_or_default().chars().take_while(|c| *c == ' ').count();
        indent + rest.get(..gap).unwrap_or_default().chars().count() + spaces
    });
    description.filter(|column| *column <= WIDTH / 2).unwrap_or(indent)
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_lines_go_on_under_their_description() {
        let long = "word ".repeat(30);
        let help =
            wrapped(&format!("Usage: fencepost {long}\n  -o, --output <DIR>  {long}\n          {long}\n"));
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        let begins: Vec<usize> = help.lines().map(|line| line.find(|c| c != ' ').unwrap_or(0)).collect();
        assert_eq!(begins, [0, 7, 7, 2, 22, 22, 10, 10, 10], "{help}");
        assert_eq!(wrapped("  -j, --json  short\n\n"), "  -j, --json  short\n\n");
    }

    #[test]
    fn paragraphs_are_filled_and_values_hang() {
        let long = "word ".repeat(17);
        let help = wrapped(&format!("{long}\nshort\n\n          - json: {long}\n"));
        let begins: Vec<usize> = help.lines().map(|line| line.find(|c| c != ' ').unwrap_or(0)).collect();
        assert_eq!(begins, [0, 0, 0, 10, 18], "{help}");
        assert!(help.lines().nth(1).is_some_and(|line| line.ends_with("word short")), "{help}");
    }

    #[test]
    fn no_word_is_lost_and_one_that_fits_no_line_stays_whole() {
        let word = "x".repeat(100);
        assert_eq!(wrapped(&format!("  {word} after")), format!("  {word}\n  after\n"));
    }
}

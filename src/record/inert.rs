//! How is text from outside shown so that it can neither steer the terminal nor break the layout?

/// The text with control characters, line breaks, bidirectional marks and invisible characters escaped: what others wrote can
/// then neither steer a terminal nor break a layout.
///
/// ```
/// assert_eq!(fencepost::record::text::inert("a\x1b[31m\nb"), "a\\u{1b}[31m\\nb");
/// ```
pub fn inert(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            c if c.is_control() || is_invisible(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Characters that print nothing but reorder, join or hide others, and separators that break lines
/// (general categories Cf, Zl and Zp, and the blank Hangul fillers).
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// How many columns a terminal gives to a character: 2 for the wide scripts and emoji, else 1.
///
/// A combining mark counts as 1 although it takes 0: a line may come out short, never long.
fn columns_of(c: char) -> usize {
    match c {
        '\u{1100}'..='\u{115f}'
        | '\u{231a}'..='\u{231b}'
        | '\u{2329}'..='\u{232a}'
        | '\u{23e9}'..='\u{23f3}'
        | '\u{25fd}'..='\u{27bf}'
        | '\u{2b1b}'..='\u{2b55}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe10}'..='\u{fe19}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{16fe0}'..='\u{1b2ff}'
        | '\u{1d300}'..='\u{1d37f}'
        | '\u{1f000}'..='\u{1faff}'
        | '\u{20000}'..='\u{3ffff}' => 2,
        _ => 1,
    }
}

/// Columns that a text takes on a terminal.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

/// The longest start of `text` that fits `width` columns, and the rest.
fn split_at_columns(text: &str, width: usize) -> (&str, &str) {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += columns_of(c);
        if taken > width {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// The text, its middle replaced by `...` where it is wider than `width` columns.
pub fn elide(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(3).filter(|room| *room >= 2) else {
        return split_at_columns(text, width).0.to_owned();
    };
    let tail_room = room / 2;
    let (head, _) = split_at_columns(text, room - tail_room);
    let mut tail_start = text.len();
    let mut taken = 0;
    for (at, c) in text.char_indices().rev() {
        taken += columns_of(c);
        if taken > tail_room {
            break;
        }
        tail_start = at;
    }
    let (_, tail) = text.split_at(tail_start);
    format!("{head}...{tail}")
}

/// Breaks a text into lines of at most `width` columns at spaces, and inside words that are longer.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(2); // One wide character has to fit.
    let mut lines = Vec::new();
    let mut line = String::new();
    for mut word in text.split(' ').filter(|word| !word.is_empty()) {
        let gap = usize::from(!line.is_empty());
        if columns(&line) + gap + columns(word) <= width {
            if gap == 1 {
                line.push(' ');
            }
            line.push_str(word);
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        while columns(word) > width {
            let (start, rest) = split_at_columns(word, width);
            lines.push(start.to_owned());
            word = rest;
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_steer_a_terminal_is_escaped_and_the_rest_is_left() {
        assert_eq!(inert("a\x1b[31mb\nc\u{202e}d\u{9b}\u{7f}"), "a\\u{1b}[31mb\\nc\\u{202e}d\\u{9b}\\u{7f}");
        assert_eq!(inert("größe/漢字 ±"), "größe/漢字 ±");
    }

    #[test]
    fn eliding_keeps_both_ends_and_the_width() {
        assert_eq!(elide("abcdefghijklmnop", 9), "abc...nop");
        assert_eq!(elide("abcdefgh", 8), "abcdefgh");
        assert_eq!(elide("abcdefgh", 3), "abc");
        let wide = elide(&"漢".repeat(20), 10);
        assert!(columns(&wide) <= 10 && wide.contains("..."), "{wide}");
    }

    #[test]
    fn wrapping_keeps_every_word_and_breaks_the_long_ones() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("a bcdefghij k", 4), ["a", "bcde", "fghi", "j k"]);
        assert_eq!(wrap("", 10), Vec::<String>::new());
    }
}

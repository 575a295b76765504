//! How does text from outside stand in HTML without effect? Inert first, then escaped.

use crate::record::inert;

/// The text for the inside of an element or of a quoted attribute.
pub(super) fn text(text: &str) -> String {
    let inert = inert(text);
    let mut shown = String::with_capacity(inert.len());
    for c in inert.chars() {
        match c {
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '&' => shown.push_str("&amp;"),
            '"' => shown.push_str("&quot;"),
            '\'' => shown.push_str("&#39;"),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    #[test]
    fn markup_quotes_and_marks_have_no_effect() {
        assert_eq!(
            super::text("<b a=\"1\" c='2'>&\u{1b}\u{202e}"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\\u{1b}\\u{202e}"
        );
    }
}

//! How does a record look in a browser? One HTML file with its plots, from saved runs alone.

#![forbid(unsafe_code)]

/// Columns for a page on standard output: what COLUMNS says, else what the terminal says, else 80.
pub fn page_width() -> usize {
    crate::suite::terminal::page_width()
}

//! Pure functions over samples.

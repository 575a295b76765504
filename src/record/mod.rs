//! What is saved and shown?

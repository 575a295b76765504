//! What is this computer?

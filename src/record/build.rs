//! How was this fencepost built? Recorded by the build script when the crate was compiled.

use super::model::Build;

impl Build {
    /// The build that is running now.
    ///
    /// Profile, level, flags and features are those with which fencepost itself was compiled; a
    /// benchmark in the same Cargo invocation shares them unless its profile has package overrides.
    ///
    /// ```
    /// let build = fencepost::record::Build::current();
    /// assert!(build.target.starts_with("x86_64"));
    /// ```
    pub fn current() -> Self {
        Self {
            fencepost: env!("CARGO_PKG_VERSION").to_owned(),
            target: env!("FENCEPOST_TARGET").to_owned(),
            rustc: env!("FENCEPOST_RUSTC").to_owned(),
            profile: env!("FENCEPOST_PROFILE").to_owned(),
            opt_level: env!("FENCEPOST_OPT_LEVEL").to_owned(),
            flags: env!("FENCEPOST_RUSTFLAGS").to_owned(),
            target_features: env!("FENCEPOST_TARGET_FEATURES").to_owned(),
        }
    }
}

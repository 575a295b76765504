//! Refuses targets that fencepost cannot measure on, and records how the crate was built for the
//! fingerprint that every record carries.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=RUSTC");

    let target = env::var("TARGET").unwrap_or_default();
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let pointers = env::var("CARGO_CFG_TARGET_POINTER_WIDTH").unwrap_or_default();
    if arch != "x86_64" || os != "linux" || pointers != "64" {
        println!(
            "cargo::error=fencepost reads the x86-64 time stamp counter on Linux, and the target is {target}; \
             build with --target x86_64-unknown-linux-gnu, or keep fencepost out of this target's \
             dependencies with [target.'cfg(all(target_arch = \"x86_64\", target_os = \"linux\"))'.dev-dependencies]"
        );
        std::process::exit(1);
    }

    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map_or_else(|| "unknown".to_owned(), |text| text.trim().to_owned());
    // Flags are separated by 0x1f in the variable that cargo hands to build scripts.
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().replace('\u{1f}', " ");
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();

    println!("cargo::rustc-env=FENCEPOST_TARGET={target}");
    println!("cargo::rustc-env=FENCEPOST_PROFILE={}", env::var("PROFILE").unwrap_or_default());
    println!("cargo::rustc-env=FENCEPOST_OPT_LEVEL={}", env::var("OPT_LEVEL").unwrap_or_default());
    println!("cargo::rustc-env=FENCEPOST_RUSTC={version}");
    println!("cargo::rustc-env=FENCEPOST_RUSTFLAGS={flags}");
    println!("cargo::rustc-env=FENCEPOST_TARGET_FEATURES={features}");
}

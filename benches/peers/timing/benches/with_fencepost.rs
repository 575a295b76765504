//! The kernels in fencepost, at its defaults.

fn main() -> std::process::ExitCode {
    fencepost::suite(|s| {
        for (name, kernel) in timing::KERNELS {
            s.throughput(name, [timing::INPUT], move |x| kernel(*x));
        }
    })
}

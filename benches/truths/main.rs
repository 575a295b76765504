//! probe
mod kernels;
use fencepost::Lab;
use fencepost::lab::Benchmark;
use fencepost::record::Kind as K;
fn main() -> fencepost::Result<()> {
    let t = std::time::Instant::now();
    let mut lab = Lab::new()?;
    let ts = kernels::truths();
    let n: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(ts.len());
    for chunk in ts.chunks(n) {
        let b: Vec<_> = chunk
            .iter()
            .map(|t| {
                let k = if t.kind == kernels::Kind::Latency { K::Latency } else { K::ReciprocalThroughput };
                let x = Benchmark::custom(
                    format!("{} {} {}", t.instruction, t.operands, k),
                    k,
                    kernels::AsmLoop(t.run),
                )
                .ops(t.instructions)
                .unwrap();
                if k == K::Latency { x } else { x.instructions(t.instructions) }
            })
            .collect();
        for m in lab.measure(b)? {
            let c = m.result.cycles.as_ref().unwrap();
            println!(
                "{:45} {:.4} [{:.4} {:.4}] {} clean {}/{} raw {:.3} ungated {:.3} {:.2}s {:?}",
                m.result.id,
                c.estimate,
                c.lo,
                c.hi,
                m.result.verdict,
                m.result.samples.clean,
                m.result.samples.total,
                m.result.p33_raw_ticks.unwrap(),
                m.result.p33_ungated_cycles.unwrap(),
                m.result.elapsed_secs,
                m.result.verdict_reason
            );
        }
    }
    println!("{:?} {:?}", t.elapsed(), lab.survey());
    Ok(())
}

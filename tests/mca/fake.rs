//! A program in llvm-mca's place that knows the time of each instruction by a table of its own.

use crate::common::Fake;

/// Answers as llvm-mca does: a region takes a cycle an instruction, but for mnemonics that begin with those in `costs`
/// (`imul=3 popcnt=2`).
pub(crate) fn knowing(costs: &str) -> Fake {
    let awk = r#"
        BEGIN { n = split(costs, given, " "); for (i = 1; i <= n; i++) { split(given[i], pair, "="); cost[pair[1]] = pair[2] }
            printf "{\"TargetInfo\": {\"Resources\": [\"P0\", \"P1\"]}, \"CodeRegions\": [" }
        /LLVM-MCA-BEGIN/ { lines = 0; sum = 0; texts = ""; infos = ""; next }
        /LLVM-MCA-END/ { printf "%s{\"SummaryView\": {\"Iterations\": %d, \"TotalCycles\": %d, \"Instructions\": %d, \"TotaluOps\": %d, \"DispatchWidth\": 6},", (any++ ? "," : ""), it, it * sum + 7, it * lines, it * lines
            printf "\"Instructions\": [%s], \"InstructionInfoView\": {\"InstructionList\": [%s]},", texts, infos
            printf "\"ResourcePressureView\": {\"ResourcePressureInfo\": [{\"InstructionIndex\": %d, \"ResourceIndex\": 0, \"ResourceUsage\": 0.5}]}}", lines; next }
        { c = 1; for (one in cost) if (index($1, one) == 1) c = cost[one]
            sum += c; texts = texts (lines ? "," : "") "\"" $1 "\""
            infos = infos (lines ? "," : "") "{\"Latency\": " c ", \"RThroughput\": " c ", \"NumMicroOpcodes\": 1}"; lines++ }
        END { print "]}" }
    "#;
    let answer = format!(
        "for one in \"$@\"; do case $one in -iterations=*) it=${{one#*=}};; esac; done\nawk -v it=$it -v costs='{costs}' '{awk}'"
    );
    Fake::llvm_mca(&answer)
}

#!/usr/bin/env bash
# Do iai and fencepost count the same? Runs the same three benchmarks under both, in one go, and prints what each counted of the first
# call in a process, and fencepost's count of a call after warming.
#
#   benches/peers/iai.sh                  needs valgrind, setarch and python3
#   CARGO='cargo --offline'               builds with it
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
read -ra cargo <<<"${CARGO:-cargo}"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cd "$here/iai"
"${cargo[@]}" bench --no-run --message-format json >"$out/built"
binary() { grep -o "\"executable\":\"[^\"]*/with_$1-[^\"]*\"" "$out/built" | tail -1 | cut -d'"' -f4; }
iai=$(binary iai) && fencepost=$(binary fencepost)
# iai puts its files where it is started.
(cd "$out" && "$iai") >"$out/iai"
"$fencepost" --bench --mode cachegrind --quiet --format json >"$out/fencepost"
"$fencepost" --bench --mode cachegrind --quiet --format json >"$out/again"

python3 - "$out" <<'PYTHON'
import json, re, sys
out = sys.argv[1]
names = ["instructions", "l1", "l2", "ram", "estimated_cycles"]
theirs, name = {}, None
for line in open(f"{out}/iai"):
    if re.fullmatch(r"\w+\n", line):
        name = line.strip()
        theirs[name] = []
    elif found := re.match(r"  [A-Z][^:]*: +(\d+)", line):
        # iai's subtraction wraps below 0.
        value = int(found[1])
        theirs[name].append(value - 2**64 if value >= 2**63 else value)
def counts(file):
    return {r["id"]: r["counts"] for r in json.load(open(f"{out}/{file}"))["results"]}
ours, again = counts("fencepost"), counts("again")
print(f'{"benchmark":<10}{"counted by":<22}' + "".join(f"{name:>17}" for name in names))
for name, row in theirs.items():
    first = [ours[name]["first"][key] for key in names]
    warm = [ours[name][key] for key in names]
    print(f'{name:<10}{"iai":<22}' + "".join(f"{value:>17}" for value in row))
    print(f'{"":<10}{"fencepost, first call":<22}' + "".join(f"{value:>17}" for value in first))
    print(f'{"":<10}{"difference":<22}' + "".join(f"{a - b:>+17}" for a, b in zip(first, row)))
    print(f'{"":<10}{"fencepost, warm":<22}' + "".join(f"{value:>17g}" if value < 1e6 else f"{value:>17.0f}" for value in warm))
print("fencepost twice:", "identical" if ours == again else "DIFFERENT")
# Around the call iai's wrapper executes 7 instructions, and fencepost's loop a few that its empty loop does not.
apart = max(abs(ours[name]["first"]["instructions"] - row[0]) for name, row in theirs.items())
print(f"instructions differ by {apart} at most:", "within what calls the body" if apart <= 8 else "TOO MUCH")
sys.exit(ours != again or apart > 8)
PYTHON

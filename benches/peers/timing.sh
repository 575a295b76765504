#!/usr/bin/env bash
# How long does one benchmark take, from start to result? Runs each of the same 20 kernels alone in criterion, divan and fencepost,
# at their defaults, and prints the median wall time of each harness and the ratio to fencepost's.
#
#   benches/peers/timing.sh [HARNESS]...     criterion, divan, fencepost; all unless given (criterion takes about five minutes)
#   WITH='taskset -c 1' benches/peers/timing.sh     puts a command before each run
#   CARGO='cargo --offline'                         builds with it
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
read -ra cargo <<<"${CARGO:-cargo}"
read -ra with <<<"${WITH:-}"
harnesses=("$@")
[ $# -gt 0 ] || harnesses=(fencepost divan criterion)

out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

names=()
for harness in "${harnesses[@]}"; do
    case $harness in
    criterion | divan | fencepost) ;;
    *) echo "error: there is no harness '$harness'; it is one of criterion, divan, fencepost" >&2 && exit 1 ;;
    esac
    names+=(--bench "with_$harness")
done
(cd "$here/timing" && "${cargo[@]}" bench --no-run --message-format json "${names[@]}") >"$out/built"
binary() { grep -o "\"executable\":\"[^\"]*/with_$1-[^\"]*\"" "$out/built" | tail -1 | cut -d'"' -f4; }

kernels=$(sed -n 's/^    ("\([a-z0-9_]*\)".*/\1/p' "$here/timing/kernels.rs")
for harness in "${harnesses[@]}"; do
    program=$(binary "$harness")
    for kernel in $kernels; do
        case $harness in
        criterion) arguments=(--bench --exact "$kernel") ;;
        divan) arguments=(--bench "::$kernel\$") ;;
        fencepost) arguments=(--bench --exact "$kernel") ;;
        esac
        # Where criterion puts its files.
        (
            cd "$out"
            export TIMEFORMAT=%R
            time "${with[@]}" "$program" "${arguments[@]}" >"$out/said" 2>&1
        ) 2>"$out/time" || { cat "$out/said" >&2 && exit 1; }
        grep -q "$kernel" "$out/said" || { echo "error: $harness did not run $kernel" >&2 && exit 1; }
        echo "$(tail -1 "$out/time") $kernel" >>"$out/$harness"
    done
done

median() { sort -n "$out/$1" | awk '{ t[NR] = $1 } END { print (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'; }
least() { sort -n "$out/$1" | head -1 | cut -d' ' -f1; }
most() { sort -n "$out/$1" | tail -1; }
printf '%-10s %16s %8s   %-24s %s\n' harness 'median s/bench' least most 'times fencepost'
for harness in "${harnesses[@]}"; do
    ratio=-
    [ ! -e "$out/fencepost" ] || ratio=$(awk -v a="$(median "$harness")" -v b="$(median fencepost)" 'BEGIN { printf "%.1f", a / b }')
    printf '%-10s %16.3f %8s   %-24s %s\n' "$harness" "$(median "$harness")" "$(least "$harness")" "$(most "$harness")" "$ratio"
done

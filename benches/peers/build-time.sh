#!/usr/bin/env bash
# How long does a clean release build of a benchmarking crate take, for the one who depends on it?
#
#   benches/peers/build-time.sh [ROUNDS]        3 rounds unless told
#
# Makes three empty crates that depend on fencepost, divan and criterion, fetches once, then builds each from
# nothing, in turns and in another order each round. Exit status 3 if fencepost's median is past its limits:
# 1.5 times divan's, a third of criterion's. Nothing else should run on the machine meanwhile.
set -euo pipefail
export LC_ALL=C CARGO_TERM_COLOR=never
unset CARGO_TARGET_DIR RUSTFLAGS

rounds=${1:-3}
case $rounds in
  '' | *[!0-9]* | 0) echo "build-time.sh: ROUNDS is '$rounds'; give a whole number above 0" >&2; exit 1 ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

crates=(fencepost divan criterion)
declare -A dependency=(
  [fencepost]="{ path = \"$root\" }"
  [divan]='"=0.1.21"'
  [criterion]='"0.8"'
)

for crate in "${crates[@]}"; do
  mkdir -p "$work/$crate/src"
  : >"$work/$crate/src/lib.rs"
  # A plain dependency, because `cargo build` leaves dev-dependencies out; what is built is the same.
  cat >"$work/$crate/Cargo.toml" <<TOML
[package]
name = "user-of-$crate"
version = "0.0.0"
edition = "2024"

[workspace]

[dependencies]
$crate = ${dependency[$crate]}
TOML
  (cd "$work/$crate" && cargo fetch --quiet </dev/null)
done

# Seconds since the epoch in microseconds.
now() { echo "${EPOCHREALTIME/./}"; }

for ((round = 0; round < rounds; round++)); do
  for ((turn = 0; turn < ${#crates[@]}; turn++)); do
    crate=${crates[(round + turn) % ${#crates[@]}]}
    rm -rf "$work/$crate/target"
    start=$(now)
    (cd "$work/$crate" && cargo build --release --offline --quiet </dev/null)
    echo $(($(now) - start)) >>"$work/$crate.times"
    echo "round $((round + 1)) of $rounds: $crate $(tail -1 "$work/$crate.times" | awk '{ printf "%.2f s", $1 / 1e6 }')" >&2
  done
done

minimum() { sort -n "$work/$1.times" | head -1; }

median() {
  sort -n "$work/$1.times" |
    awk '{ t[NR] = $1 } END { m = int((NR + 1) / 2); print NR % 2 ? t[m] : (t[m] + t[m + 1]) / 2 }'
}

# Crates that the user's crate brings in, the benchmarking crate itself not counted.
count() {
  (cd "$work/$1" && cargo tree --offline -e normal,build --prefix none --no-dedupe </dev/null) |
    awk -v own="user-of-$1" -v peer="$1" 'NF && $1 != own && $1 != peer { seen[$1] } END { n = 0; for (name in seen) n++; print n }'
}

printf '%-10s %8s %9s %7s\n' crate 'min s' 'median s' crates
for crate in "${crates[@]}"; do
  awk -v crate="$crate" -v min="$(minimum "$crate")" -v median="$(median "$crate")" -v count="$(count "$crate")" \
    'BEGIN { printf "%-10s %8.2f %9.2f %7d\n", crate, min / 1e6, median / 1e6, count }'
done

awk -v own="$(median fencepost)" -v divan="$(median divan)" -v criterion="$(median criterion)" 'BEGIN {
  printf "fencepost/divan      %.2f (limit 1.50)\n", own / divan
  printf "fencepost/criterion  %.2f (limit 0.33)\n", own / criterion
  exit (own / divan > 1.5 || own / criterion > 1 / 3) ? 3 : 0
}'

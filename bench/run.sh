# The command `./dev bench`. Sourced by ./dev, whose functions it uses.
# A benchmark NAME is the script bench/NAME.sh or else the program of bench/NAME_bench.cc.
# shellcheck shell=bash

# run_bench NAME… [CASE…] [--json FILE] [OPTION…]: cases and options go to each benchmark. Scripts alone have cases.
run_bench() {
  local names=() options=() json=''
  read_bench_arguments "$@"
  if ((${#names[@]} == 0)); then
    list_benchmarks
    return
  fi
  check_benchmarks "${names[@]}"
  need build test
  local targets parts name
  mapfile -t targets < <(program_targets; names_of 'bench/*_bench.cc' .cc)
  build "${targets[@]}"
  parts=$(mktemp -d)
  for name in "${names[@]}"; do run_benchmark "$name" "$parts/$name"; done
  [[ -z $json ]] || join_json "$parts" "${names[@]}" >"$json"
  rm -r "$parts"
}

# Fills the caller's names, options and json. Names come first; what follows a script's and is not a name is a case.
read_bench_arguments() {
  while (($#)); do
    case $1 in
      --json)
        (($# >= 2)) || fail "bench: --json needs the name of a file" 2
        json=$2
        [[ $json == /* ]] || json=${caller_dir:?}/$json
        [[ -d $(dirname "$json") ]] || fail "bench: the folder of '$2' does not exist" 2
        shift
        ;;
      -*) options+=("$1") ;;
      *) if ((${#options[@]})) || is_case "$1"; then options+=("$1"); else names+=("$1"); fi ;;
    esac
    shift
  done
}

# is_case WORD: true if it is for the script that was named last.
is_case() {
  ((${#names[@]})) && [[ -f bench/${names[-1]}.sh ]] && ! is_benchmark "$1"
}

is_benchmark() {
  list_benchmarks | grep -xF "$1" >/dev/null
}

list_benchmarks() {
  local all
  all=$({ names_of 'bench/*_bench.cc' _bench.cc; names_of 'bench/*.sh' .sh; } | sort -u | grep -vx run || true)
  echo "${all:-there are no benchmarks yet (bench/NAME_bench.cc or bench/NAME.sh)}"
}

check_benchmarks() {
  local name
  for name in "$@"; do
    is_benchmark "$name" || fail "there is no benchmark '$name'; ./dev bench lists them" 2
  done
}

# run_benchmark NAME PART: runs it with the options; with --json it writes its results to PART.
run_benchmark() {
  local program=("build/bin/$1_bench") arguments=("${options[@]}")
  [[ ! -f bench/$1.sh ]] || program=(bash "bench/$1.sh")
  [[ -z $json ]] || arguments+=(--json "$2")
  echo "== $1"
  "${program[@]}" "${arguments[@]}" || fail "the benchmark '$1' failed"
}

# One object with a member for each benchmark.
join_json() {
  local parts=$1 name comma=''
  shift
  echo '{'
  for name in "$@"; do
    printf '%s"%s": ' "$comma" "$name"
    cat "$parts/$name"
    comma=,
  done
  echo '}'
}

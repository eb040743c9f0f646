#!/usr/bin/env bash
# plimsoll check on folders, arrays and tables: which records it names and why, what it warns of, and that it has
# nothing to say about good data. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
root=$PWD
files=$root/tests/data/keras_files
models=$root/tests/docs_commands
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

# finds CODE ARGUMENT…: `plimsoll check` ends with that code; its output is in out and error.
finds() {
  local code=$1 found=0
  shift
  "$program" check "$@" >out 2>error || found=$?
  ((found == code)) || fail "'plimsoll check $*' ended with $found, expected $code: $(cat out error)"
}

# has EXPRESSION: of the JSON in out, as `report`.
has() {
  python3 -c "import json, sys
report = json.load(open('out'))
bad = [(entry['path'], entry['reason']) for entry in report['bad']]
warnings = {entry['reason']: entry for entry in report['warnings']}
sys.exit(not ($1))" || fail "not so: $1; $(cat out)"
}

broken_images() { python3 "$root/tests/support/broken_images.py" "$@"; }

usage_cases() {
  runs help check
  says '^Usage: plimsoll check' out
  refuses 2 "DATA is missing" check
  refuses 2 "--target is for .csv files" check "$root/examples/shapes" --target price
  refuses 3 "nowhere: cannot be opened" check nowhere
  refuses 2 "--loss: 'wrong' is not known" check "$root/examples/shapes" --model "$models/model.json" --loss wrong
}

# Exactly the broken files, each with its reason, whatever the threads and with a model or without.
broken_cases() {
  local reason
  broken_images photos 600 0.1 >broken.json
  finds 3 photos --json
  cp out one
  python3 "$root/tests/check/same_bad.py" out broken.json || fail "other bad records"
  has "report['records'] == 600 and not warnings"
  finds 3 photos --json --threads 1
  cmp -s out one || fail "the report depends on the number of threads"
  finds 3 photos --json --model "$models/model.json"
  python3 "$root/tests/check/same_bad.py" out broken.json || fail "other bad records with a model"
  finds 3 photos
  says '^photos: 600 records, 60 bad, 0 warning\(s\)$' out
  says '^truncated +1[0-9]  photos/' out
  says '^ +-> .*--on-bad-record skip' out
  for reason in unreadable empty zeros truncated damaged not_an_image too_large; do says "^$reason +[0-9]+  photos/" out; done
}

good_cases() {
  broken_images good 200 0 >good.json
  finds 0 good --json
  has "report['records'] == 200 and bad == [] and not warnings and report['classes'] == {'dark': 100, 'light': 100}"
  finds 0 good --model "$models/model.json"
  says '^good: 200 records, 0 bad, 0 warning\(s\)$' out
  mkdir flat
  cp good/dark/*.png flat
  finds 0 flat --json
  has "report['records'] == 50 and not bad and not warnings"
  finds 0 "$root/examples/shapes" --model "$models/model.json"
}

# What decodes, but is seldom wanted.
image_warning_cases() {
  cp -r good odd
  mv odd/dark/000000.png odd/dark/000000.jpg
  cp odd/dark/000004.png odd/dark/copy.png
  cp odd/dark/000008.png odd/light/copy.png
  finds 0 odd --json
  has "warnings['wrong_name']['examples'] == ['odd/dark/000000.jpg']"
  has "warnings['duplicate']['examples'] == ['odd/dark/copy.png = odd/dark/000004.png']"
  has "warnings['conflicting_label']['examples'] == ['odd/light/copy.png = odd/dark/000008.png']"
  rm odd/light/0001[0-8]*
  rm odd/light/000[0-9]?[13579].???
  finds 0 odd --json
  has "'imbalance' in warnings"
  mkdir odd/empty
  finds 0 odd --json
  has "warnings['empty_class']['examples'] == ['empty']"
}

# The same picture in both parts.
validation_cases() {
  broken_images other 40 0.1 --seed 1 >other.json
  cp good/light/000001.png other/light/x.png
  finds 3 good --validation other --json
  has "report['records'] == 200 and report['validation_records'] == 41 and len(bad) == 4"
  has "warnings['leak']['examples'] == ['other/light/x.png = good/light/000001.png']"
  python3 "$root/tests/check/same_bad.py" out other.json || fail "other bad records in the validation data"
  finds 3 good --validation other
  says '^good: 200 records and 41 for validation, 4 bad, 1 warning\(s\)$' out
}

table_cases() {
  awk 'BEGIN { print "a,b,price"; for (i = 0; i < 100; ++i) print i / 100 "," i % 7 "," i / 3 }' >table.csv
  finds 0 table.csv --target price --json
  has "report['records'] == 100 and not bad and not warnings"
  finds 0 table.csv --target price --model "$files/keras3_sequence.keras"
  { cat table.csv && echo "1,,2" && echo "3,4" && echo "5,x,6" && echo "7,inf,8" && echo "1,2,"; } >bad.csv
  finds 3 bad.csv --target price --json
  cp out without
  has "bad == [('bad.csv:102', 'missing'), ('bad.csv:103', 'shape'), ('bad.csv:104', 'not_a_number'),
               ('bad.csv:105', 'not_finite'), ('bad.csv:106', 'missing')]"
  finds 3 bad.csv --target price --json --model "$files/keras3_sequence.keras"
  has "bad == [(e['path'], e['reason']) for e in json.load(open('without'))['bad']]"
  # A target that is missing is never made up.
  finds 3 bad.csv --target price --json --missing 0
  has "len(bad) == 4"
  { echo "a,b,street,price" && echo "1,5,north,1" && echo "2,5,south,2" && echo "2,5,south,2"; } >text.csv
  finds 3 text.csv --target price --json
  has "bad == [('text.csv', 'not_a_number')]"
  finds 0 text.csv --target price --ignore street --json
  has "warnings['constant_column']['examples'] == ['x.b']"
  has "warnings['duplicate']['examples'] == ['text.csv:4 = text.csv:3']"
  finds 0 text.csv --json
  has "'text_column' in warnings"
  refuses 3 "text.csv: has no column 'cost'" check text.csv --target cost
  refuses 3 "name the column to learn with --target" check table.csv --model "$files/keras3_sequence.keras"
}

# The same bad records in lines of JSON; a line that is not JSON is a record, too.
json_lines_cases() {
  awk 'BEGIN { for (i = 0; i < 100; ++i) print "{\"a\": " i / 100 ", \"b\": " i % 7 ", \"price\": " i / 3 "}" }' >table.jsonl
  finds 0 table.jsonl --target price --json
  has "report['records'] == 100 and not bad and not warnings"
  finds 0 table.jsonl --target price --model "$files/keras3_sequence.keras"
  { cat table.jsonl && echo '{"a": 1, "b": null, "price": 2}' && echo '{"a": 3, "price": 4' && echo '{"a": 5, "b": "x", "price": 6}' &&
    echo '{"a": [7], "b": 1, "price": 8}' && echo && echo '{"a": 1, "b": 2}'; } >bad.jsonl
  finds 3 bad.jsonl --target price --json
  has "bad == [('bad.jsonl:101', 'missing'), ('bad.jsonl:102', 'damaged'), ('bad.jsonl:103', 'not_a_number'),
               ('bad.jsonl:104', 'shape'), ('bad.jsonl:105', 'empty'), ('bad.jsonl:106', 'missing')]"
  finds 3 bad.jsonl --target price --json --missing 0
  has "len(bad) == 5"
  refuses 3 "has no column 'cost'" check table.jsonl --target cost
}

# arrays NAME CODE: writes an .npz without numpy; CODE makes `arrays`, a dict of (type, shape, numbers).
arrays() {
  python3 - "$1" "$2" <<'END'
import struct, sys, zipfile

arrays = {}
exec(sys.argv[2])
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    for name, (kind, shape, numbers) in arrays.items():
        header = str({"descr": "<" + kind, "fortran_order": False, "shape": shape}).encode()
        header += b" " * (-(len(header) + 11) % 64) + b"\n"
        data = struct.pack("<" + str(len(numbers)) + {"f4": "f", "i4": "i"}[kind], *numbers)
        archive.writestr(name + ".npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + data)
END
}

array_cases() {
  local make="pixels = [i % 251 / 250 for i in range(20 * 24 * 24 * 3)]
arrays['x'] = ('f4', (20, 24, 24, 3), pixels)
arrays['y'] = ('i4', (20,), [i % 2 for i in range(20)])"
  arrays good.npz "$make"
  finds 0 good.npz --json
  has "report['records'] == 20 and not bad and not warnings"
  # The model divides by 255 itself.
  finds 0 good.npz --model "$models/model.json" --json
  has "list(warnings) == ['scale'] and 'which the model makes' in warnings['scale']['what']"
  arrays bad.npz "$make
pixels[5 * 24 * 24 * 3] = float('nan')
arrays['y'][2][7], arrays['y'][2][9] = 2, -1"
  finds 3 bad.npz --model "$models/model.json" --json
  has "bad == [('bad.npz[5]', 'not_finite'), ('bad.npz[7]', 'label'), ('bad.npz[9]', 'label')]"
  arrays vectors.npz "$make
arrays['y'] = ('f4', (20, 2), [0, 1] * 20)"
  finds 3 vectors.npz --model "$models/model.json" --json
  has "bad == [('vectors.npz', 'shape')]"
  head -c 3000 good.npz >cut.npz
  refuses 3 "cut.npz" check cut.npz
}

# Images of 0 to 255 and a first layer that does not scale them.
scale_cases() {
  sed 's/"scale": 0.00392156862745098/"scale": 1.0/' "$models/model.json" >raw.json
  finds 0 good --model raw.json --json
  has "list(warnings) == ['scale'] and 'Rescaling' in warnings['scale']['remedy']"
}

# archive NAME FOLDER: the files of the two classes as a shard; links that lead nowhere are left out.
archive() {
  python3 - "$@" <<'END'
import glob, io, os, sys, tarfile

with tarfile.open(sys.argv[1], "w") as shard:
    for path in sorted(filter(os.path.exists, glob.glob(sys.argv[2] + "/*/*"))):
        name = os.path.basename(path)
        shard.add(path, name)
        label = tarfile.TarInfo(name.split(".")[0] + ".cls")
        label.size = 1
        shard.addfile(label, io.BytesIO(b"1" if "light" in path else b"0"))
END
}

# What is wrong with the images of an archive has the same words.
archive_cases() {
  archive good.tar good
  finds 0 good.tar --json
  has "report['records'] == 200 and not bad and not warnings"
  archive photos.tar photos
  finds 3 photos.tar --json
  has "sorted(reason for path, reason in bad) ==
       sorted(e['reason'] for e in json.load(open('broken.json'))['broken'] if e['reason'] != 'unreadable')"
}

progress_cases() {
  env -u NO_COLOR TERM=xterm script -qec "$(printf '%q ' "$program" check good)" /dev/null >out </dev/null || fail "on a terminal: $(cat out)"
  says 'check 200/200 .* rows/s' out
}

advice_cases() { python3 "$root/tests/check/advice.py" "$program" || fail "check advises what does not help"; }

usage_cases
advice_cases
broken_cases
good_cases
image_warning_cases
validation_cases
table_cases
json_lines_cases
array_cases
scale_cases
archive_cases
progress_cases

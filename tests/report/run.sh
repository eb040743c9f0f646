#!/usr/bin/env bash
# The pages of `plimsoll report` and `plimsoll compare`, made of real runs and used in headless Chromium: charts, hover, keys
# and slider work, nothing leaves the page, what axe-core decides about WCAG 2 A and AA holds at three sizes in light and dark, a
# folder with markup in its texts shows as text, and a run of 10,000 epochs and 2,000 layers stays small.
# Expects ./dev build to have run (build/). PICTURES=FOLDER keeps the screenshots; IMAGES=docs/images makes the pictures of the
# documents.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$PWD/tests/report
program=$(realpath "${1:-build}/bin/plimsoll")
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pictures=${PICTURES:-}
[[ -z $pictures ]] || pictures=$(realpath "$pictures")
[[ -z ${IMAGES:-} ]] || IMAGES=$(realpath "$IMAGES")
export IMAGES
cd "$scratch"

python3 "$here/make_images.py" photos
objective=(--loss sparse_categorical_crossentropy --metrics accuracy --optimizer adam --validation-split 0.25 --seed 3 --on-bad-record skip --max-bad 0.05)
runs train "$here/model.json" photos --out run --epochs 16 --batch-size 16 --profile 10 "${objective[@]}"
runs train "$here/model.json" photos --out slow --epochs 16 --batch-size 16 --learning-rate 0.0001 "${objective[@]}"
awk 'BEGIN { print "rooms,size,price"; for (i = 0; i < 200; ++i) print i % 5 "," i % 7 "," i % 5 + 2 * (i % 7) }' >houses.csv
cp "$here/houses.json" .
runs train houses.json houses.csv --target price --out houses --epochs 4 --loss mse --optimizer adam --validation-split 0.2

# What a run leaves for its page.
[[ -s run/plan.json ]] || fail "the run has left no plan.json"
(($(stat -c %s run/plan.json) < 500000)) || fail "plan.json is large"

# A run that is stopped leaves what was measured before.
code=0
"$program" train houses.json houses.csv --target price --out stopped --epochs 1000000 --loss mse --max-time 1s --profile 2 >out 2>error || code=$?
((code == 75)) || fail "a run with --max-time 1s ended with $code"
grep -q '"steps":2,' stopped/profile.json || fail "a run that was stopped has left no profile"

# A trace has spans of checkpoints and spills: a run with a checkpoint after each step, and some 10 MiB less memory than it takes.
# Spilling is the only way that it may save any.
awk 'BEGIN { for (c = 0; c < 8; ++c) printf "x%d,", c; print "y"
             for (r = 0; r < 4096; ++r) { for (c = 0; c < 8; ++c) printf "%.3f,", (r * (c + 3)) % 17 / 17; print r % 5 } }' >deep.csv
whole=(--batch-size 2048 --loss mse --optimizer sgd --no-recompute --no-micro-batches --no-early-updates --no-sequence-parts)
runs plan "$here/deep.json" "${whole[@]}" --json
peak=$(python3 -c 'import json; print(json.load(open("out"))["peak_bytes"])')
TMPDIR=/var/tmp runs train "$here/deep.json" deep.csv --target y --out tight --epochs 5 --learning-rate 1e-4 --checkpoint-steps 1 --profile 3 \
  --memory "$((peak / 1024 - 10 * 1024))KiB" "${whole[@]}"
keeps '"spilled_bytes": [1-9]' tight/run.json

# The document of the folder is right, also about a run that stopped early, went on and failed.
runs train houses.json houses.csv --target price --out on --epochs 2 --loss mse --validation-split 0.2 --early-stopping
runs resume on --epochs 3
"$program" train houses.json houses.csv --target price --out wild --epochs 9 --loss mse --optimizer sgd --learning-rate 1e30 >out 2>error &&
  fail "a run with a learning rate of 1e30 has not failed"
"$(dirname "$program")/program_run" of_program 2
python3 "$here/check_document.py" "$here/../../docs/formats/run.md" run slow houses on wild of_program tight || fail "docs/formats/run.md and runs differ"

runs report run
says '^run/report.html: [0-9.]+ KiB$' out
cp run/report.html report.html
runs report run --out page.html --json
keeps '"reports": \[\{"run": "run", "report": "page.html", "bytes": [0-9]+\}\]' out
runs compare run slow
says '^compare.html: ' out
# Another batch size is another plan; of many runs none looks like another.
runs train "$here/model.json" photos --out halved --epochs 1 --batch-size 8 "${objective[@]}"
runs compare run halved --out plans.html
copies=()
for number in 1 2 3 4 5 6 7 8 9 10; do
  cp -r slow "copy-$number"
  copies+=("copy-$number")
done
runs compare "${copies[@]}" --out many.html
# Names of layers, classes and records that are markup.
python3 "$here/make_folders.py" --names photos "$here/model.json" .
runs train named.json named-photos --out named --epochs 2 --batch-size 16 "${objective[@]}"
runs report named --out named.html
runs report houses --out table.html
[[ $(grep -c "records take" error) == 1 && -z $(sort error | uniq -d) ]] || fail "the data of a run is opened more than once: $(cat error)"
grep -F '"actual"' table.html >/dev/null || fail "the page of a table shows no records"

# Without data; and from another folder, when the data is gone.
runs report run --no-data --out bare.html
grep -F 'made with --no-data' bare.html >/dev/null || fail "the page does not say that it has no data"
grep -F 'base64,/9j/' bare.html >/dev/null && fail "a page without data has pictures of it"
mkdir elsewhere && cp -r run elsewhere/moved && mv photos gone
runs report elsewhere/moved
grep -F 'cannot be read' elsewhere/moved/report.html >/dev/null || fail "the page does not say that the data is gone"
mv gone photos

python3 "$here/make_folders.py" run "$scratch/made"
runs report made/hostile --out hostile.html
runs report made/large --out large.html
grep -F '"block_249_dense_1999","Dense"' large.html >/dev/null || fail "the large page has no layers of a model"
for page in report compare plans many named table bare hostile large; do
  (($(stat -c %s $page.html) < 2000000)) || fail "$page.html is not under 2 MB"
  [[ $(grep -c '</script>' $page.html) == 2 ]] || fail "$page.html has a script that is not its own"
  ! grep -E '(src|href)="?(https?:)?//' $page.html || fail "$page.html names another place"
done

# A run that was killed has a page too: its log ends anywhere.
cp -r run killed && head -c -40 run/log.jsonl >killed/log.jsonl
sed -i 's/"status": "done"/"status": "running"/' killed/run.json
runs report killed
grep -F 'Still running, or killed' killed/report.html >/dev/null || fail "a killed run is not called that"

# A folder whose files are links elsewhere: nothing is read where they lead.
echo treasure >secret
cp -r run linked && rm linked/report.html
for file in plan.json profile.json quarantine.jsonl best.keras model.keras; do ln -sf ../secret "linked/$file"; done
rm -rf linked/checkpoints && ln -s "$scratch/made" linked/checkpoints
runs report linked
grep -F 'is a link' linked/report.html >/dev/null || fail "the page does not say that a file is a link"
! grep -E 'treasure|checkpoints/large' linked/report.html || fail "a page shows what a link leads to"
ln -sf ../run/log.jsonl linked/log.jsonl
refuses 3 "linked/log.jsonl: is a link" report linked

refuses 2 "RUN" report
refuses 2 "expected two runs or more" compare run
refuses 3 "photos: is not the folder of a run (it has no run.json)" report photos
refuses 3 "nowhere: is not the folder of a run (it has no run.json)" compare run nowhere
refuses 2 "run/log.jsonl" report run --out run/log.jsonl
refuses 2 "several runs have one page each" report run slow --out both.html
refuses 3 "cannot be" report run --out nowhere/page.html
echo '{"event": 3' >>killed/log.jsonl && echo >>killed/log.jsonl
refuses 3 "killed/log.jsonl" report killed

chromium=$(command -v chromium || command -v chromium-browser || true)
if [[ -z $chromium ]]; then
  echo "chromium is not installed, so the pages were not opened"
  exit 77
fi
timeout 300 python3 "$here/check_pages.py" "$chromium" "$scratch" "$pictures" || fail "the pages are not as they should be"

#!/usr/bin/env bash
# The options of train that steer learning: each changes what it says, is in the saved model where Keras has such a
# setting, and is refused where it would change nothing. Where the real Keras is there, it reads the models and trains
# them further. Expects ./dev build to have run (build/).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
program=$(realpath "${1:-build}/bin/plimsoll")
files=$PWD/tests/data/keras_files
here=$PWD/tests/options
photos=$PWD/examples/shapes # two classes, rings and stripes
image_model=$PWD/tests/docs_commands/model.json
# shellcheck source=tests/peers/references.sh
source tests/peers/references.sh
# shellcheck source=tests/cli/commands.sh
source tests/cli/commands.sh
# shellcheck disable=SC2154 # find_keras sets it
python=$(find_keras >&2 && echo "$python") || python=""
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

model=$files/keras3_sequence.keras
awk 'BEGIN { print "a,b,price"; for (i = 0; i < 300; ++i) { a = (i * 7 % 20) / 10; b = (i * 3 % 17) / 10
       print a "," b "," a + 2 * b } }' >table.csv

# A team smaller than what was asked for would never end a convolution of oneDNN.
thread_limit() {
  local code=0
  awk 'BEGIN { for (c = 0; c < 128; ++c) printf "x%d,", c; print "y"
               for (r = 0; r < 64; ++r) { for (c = 0; c < 128; ++c) printf "%.3f,", (r * (c + 3)) % 17 / 17; print r % 5 } }' >pixels.csv
  OMP_THREAD_LIMIT=1 timeout -s KILL 120 "$program" train "$here/convolutions.json" pixels.csv --target y --loss mse --out limited \
    --epochs 1 >out 2>error || code=$?
  ((code == 0)) || fail "a run with OMP_THREAD_LIMIT=1 ended with $code: $(cat error)"
  OMP_THREAD_LIMIT=1 refuses_training 3 "threads: expected 1 to 1 (OMP_THREAD_LIMIT), found 2" --threads 2
}

# trains NAME ARGUMENT…: into the folder NAME, from the same beginning.
trains() {
  local name=$1
  shift
  runs train "$model" table.csv --target price --out "$name" --seed 1 --threads 1 "$@"
}
# config NAME PATTERN: the compile settings of the saved model.
config() {
  python3 -c 'import json, sys, zipfile
print(json.dumps(json.loads(zipfile.ZipFile(sys.argv[1]).read("config.json"))["compile_config"]))' "$1/model.keras" >config
  says "$2" config
}
refuses_training() {
  local code=$1 sentence=$2
  shift 2
  refuses "$code" "$sentence" train "$model" table.csv --target price --out refused "$@"
  [[ ! -e refused ]] || fail "'$*' was refused and left a folder"
}
weights_of() { "$program" convert "$1/model.keras" "$1.safetensors" >/dev/null; }
differ() {
  weights_of "$1"
  weights_of "$2"
  ! cmp -s "$1.safetensors" "$2.safetensors" || fail "$1 and $2 have learnt the same"
}

says_not() { ! grep -E -- "$1" "$2" >/dev/null || fail "unexpected '$1' in $2: $(cat "$2")"; }

optimizer_settings() {
  trains plain --epochs 2 --optimizer sgd
  trains rate --epochs 2 --optimizer sgd --lr 0.05
  config rate '"learning_rate": 0.05'
  differ plain rate
  trains decay --epochs 2 --optimizer sgd --weight-decay 0.1
  config decay '"weight_decay": 0.1'
  differ plain decay
  trains norm --epochs 2 --optimizer sgd --clipnorm 0.1
  config norm '"clipnorm": 0.1'
  differ plain norm
  trains value --epochs 2 --optimizer sgd --clipvalue 0.1
  config value '"clipvalue": 0.1'
  differ plain value
  trains global --epochs 2 --optimizer sgd --global-clipnorm 0.1
  config global '"global_clipnorm": 0.1'
  differ plain global
  trains sums --epochs 2 --optimizer sgd --accumulate 4
  config sums '"gradient_accumulation_steps": 4'
  differ plain sums
  says '"accumulate": 4' sums/run.json
  refuses_training 2 "--clipnorm excludes --clipvalue" --clipnorm 1 --clipvalue 1
  refuses_training 2 "--clipnorm expects a number above 0, found '0'" --clipnorm 0
  refuses_training 2 "--weight-decay expects a number from 0 on, found '-1'" --weight-decay -1
  refuses_training 2 "--accumulate 50: the run has only 10 step(s), so no weight would change" --accumulate 50 --optimizer sgd
}

# Keras does not know these settings: the saved model must not have them.
adaptive_clipping() {
  trains units --epochs 2 --optimizer sgd --adaptive-clip 0.01
  says 'note: sgd: --adaptive-clip is not saved with the model, because Keras does not know it' error
  says '"adaptive_clip": 0.01' units/run.json
  differ plain units
  trains percentile --epochs 2 --optimizer adam --clip-percentile 10
  says 'note: adam: --clip-percentile is not saved with the model' error
  trains adam --epochs 2 --optimizer adam
  differ adam percentile
  config units '"class_name": "SGD"'
  says_not 'adaptive_clip' config
  # A run that is stopped and goes on has the norms of all its gradients.
  trains stopped --epochs 1 --optimizer adam --clip-percentile 10
  runs resume stopped --epochs 2
  cmp stopped/model.keras percentile/model.keras || fail "the norms of earlier gradients were lost"
  refuses_training 2 "--clipnorm excludes --adaptive-clip" --clipnorm 1 --adaptive-clip 0.1
  refuses_training 2 "--clip-percentile expects a number above 0, at most 100, found '101'" --clip-percentile 101
}

# The state of the optimizer goes on, and the new settings hold.
going_on() {
  runs train plain/model.keras table.csv --target price --out faster --lr 0.07
  config faster '"learning_rate": 0.07'
  trains one --epochs 1 --optimizer adam
  local again=(train one/model.keras table.csv --target price --seed 1 --threads 1)
  runs "${again[@]}" --out after
  runs "${again[@]}" --out clipped --clipnorm 1e9
  runs "${again[@]}" --out anew --clipnorm 1e9 --optimizer adam
  weights_of after
  weights_of clipped
  cmp after.safetensors clipped.safetensors || fail "an optimizer with other settings has lost its state"
  differ after anew
  refuses 2 "--accumulate: adam: has taken 10 steps already" train one/model.keras table.csv --target price --out no --accumulate 2
  refuses 2 "begin with a new one, for example --optimizer Adam" train one/model.keras table.csv --target price --out no \
    --schedule cosine
  runs train one/model.keras table.csv --target price --out yes --schedule cosine --optimizer Adam
}

schedules() {
  trains cosine --epochs 4 --schedule cosine --lr 0.1 --optimizer adam
  config cosine '"class_name": "CosineDecay".*"initial_learning_rate": 0.1[^,]*, "decay_steps": 40'
  trains warm --epochs 4 --schedule cosine,warmup=1 --lr 0.1 --optimizer adam
  config warm '"warmup_target": 0.1[^,]*, "warmup_steps": 10'
  trains exponential --epochs 4 --schedule exponential,factor=0.5 --lr 0.1 --optimizer adam
  config exponential '"class_name": "ExponentialDecay".*"decay_steps": 10, "decay_rate": 0.5'
  trains step --epochs 4 --schedule step,every=2 --lr 0.1 --optimizer adam
  config step '"decay_steps": 20, "decay_rate": 0.1, "staircase": true'
  trains piecewise --epochs 4 --schedule piecewise,at=1:3 --lr 0.1 --optimizer adam
  config piecewise '"class_name": "PiecewiseConstantDecay".*"boundaries": \[9, 29\]'
  trains polynomial --epochs 4 --schedule polynomial,end=0.001 --lr 0.1 --optimizer adam
  config polynomial '"class_name": "PolynomialDecay"'
  differ cosine warm
  differ step piecewise
  trains plateau --epochs 12 --schedule plateau,patience=1,factor=0.5 --lr 1
  says 'learning_rate' out
  says '"event":"epoch".*"learning_rate":0\.' plateau/log.jsonl
  says '"schedule": "plateau,patience=1,factor=0.5"' plateau/run.json
  refuses_training 2 "--schedule: 'cosin' is not known (did you mean cosine?; known: cosine" --schedule cosin
  refuses_training 2 "--schedule: step needs every, as in step,every=10" --schedule step
  refuses_training 2 "--schedule: every=5 changes nothing in a run of 1 epoch(s)" --schedule step,every=5 --optimizer adam
  # A run that goes on where the schedule has ended.
  runs train cosine/model.keras table.csv --target price --out idle
  says 'warning: .*: its learning rate is 0 after 40 steps, so that nothing is learnt from here on \(give one with --lr\)' error
  runs train cosine/model.keras table.csv --target price --out awake --lr 0.01
  says_not 'nothing is learnt' error
  differ idle awake
}

early_stopping() {
  trains patient --epochs 60 --early-stopping --patience 2 --lr 0.5 --optimizer adam --validation-split 0.2
  says '^stopped early: val_loss was best in epoch [0-9]+ \([0-9.e+-]+\), whose weights are kept$' out
  says '"metric": "val_loss"' patient/run.json
  (($(grep -c '"event":"epoch"' patient/log.jsonl) < 60)) || fail "it did not stop"
  # The model has the weights of the best epoch: it evaluates to that epoch's loss.
  local best measured
  tail -n 60 table.csv >tail.csv
  { head -n 1 table.csv && cat tail.csv; } >held.csv
  best=$(python3 -c 'import json; print("%.5f" % json.load(open("patient/run.json"))["result"]["early_stopping"]["best"])')
  measured=$("$program" evaluate patient/model.keras held.csv --target price --json 2>error | python3 -c 'import json, sys; print("%.5f" % json.load(sys.stdin)["loss"])')
  [[ $best == "$measured" ]] || fail "the best loss was $best, the saved model has $measured"
  trains train_loss --epochs 2 --early-stopping --patience 1
  says '"metric": "loss"' train_loss/run.json
  trains by_name --epochs 2 --early-stopping mae --min-delta 0.1 --patience 1
  says '"metric": "mae"' by_name/run.json
  trains as_json --epochs 2 --early-stopping --json
  python3 -m json.tool <out >/dev/null || fail "other text than JSON: $(cat out)"
  # Of a few metrics the name does not say whether they should rise: --mode does.
  for option in --early-stopping --save-best; do
    refuses_training 2 "$option: whether 'poisson' should rise or fall is not known; say it with --mode max or --mode min" \
      --metrics poisson "$option" poisson
  done
  trains told --epochs 3 --metrics mae --save-best mae --mode max
  says 'told/best.keras is that of epoch 1 \(mae' out
  says '"mae": "up"' told/run.json
  says '"loss": "down"' told/run.json
  trains told_least --epochs 3 --metrics mae --save-best mae --mode min
  says 'told_least/best.keras is that of epoch 3 \(mae' out
  says '"mae": "down"' told_least/run.json
  refuses_training 2 "--mode is for a METRIC that --early-stopping or --save-best names" --mode min
  refuses_training 2 "--mode is for one metric" --mode min --save-best mae --early-stopping loss
  refuses_training 2 "--patience requires --early-stopping" --patience 3
  refuses_training 2 "--early-stopping: this run does not report 'val_loss'; it reports loss, mae" --early-stopping val_loss
  refuses_training 2 "does not report 'mea' (did you mean mae?); it reports loss, mae" --early-stopping mea
}

class_weights() {
  runs convert "$image_model" photos.keras
  runs train photos.keras "$photos" --out even --seed 1 --threads 1
  cp -r "$photos" uneven_photos
  rm uneven_photos/rings/*[2-5].*
  runs train photos.keras uneven_photos --out uneven --seed 1 --threads 1
  runs train photos.keras uneven_photos --out balanced --seed 1 --threads 1 --class-weight balanced
  differ uneven balanced
  echo '{"rings": 1, "stripes": 1}' >ones.json
  runs train photos.keras uneven_photos --out ones --seed 1 --threads 1 --class-weight ones.json
  # A balanced weight is what its formula says.
  python3 - uneven_photos >by_hand.json <<'PYTHON'
import json, os, sys
counts = {name: len(os.listdir(os.path.join(sys.argv[1], name))) for name in sorted(os.listdir(sys.argv[1]))}
print(json.dumps({name: sum(counts.values()) / (len(counts) * n) for name, n in counts.items()}))
PYTHON
  runs train photos.keras uneven_photos --out by_hand --seed 1 --threads 1 --class-weight by_hand.json
  weights_of by_hand
  weights_of balanced
  cmp by_hand.safetensors balanced.safetensors || fail "balanced is not its formula"
  echo '{"1": 2, "0": 0.5}' >numbers.json
  runs train photos.keras uneven_photos --out numbers --class-weight numbers.json
  says '"class_weight": "numbers.json"' numbers/run.json
  echo '{"ring": 2}' >wrong.json
  refuses 3 "wrong.json: there is no class 'ring' (did you mean rings?); the classes are rings, stripes" \
    train photos.keras uneven_photos --out refused --class-weight wrong.json
  echo '{"2": 2}' >wrong.json
  refuses 3 "wrong.json: there is no class '2'" train photos.keras uneven_photos --out refused --class-weight wrong.json
  refuses_training 3 "class weights need whole numbers from 0 on as labels, found " --class-weight balanced
  refuses_training 3 "missing.json: cannot be opened" --class-weight missing.json
  runs convert uneven_photos arrays.npz --image-size 24x24
  runs train photos.keras arrays.npz --out arrays --seed 1 --threads 1 --class-weight balanced
}

label_smoothing() {
  refuses_training 2 "--label-smoothing: loss: mean_squared_error has no label smoothing (binary_crossentropy, categorical_crossentropy" \
    --label-smoothing 0.1
  refuses_training 2 "--label-smoothing expects a number between 0 and 1, found '2'" --label-smoothing 2
  runs train photos.keras "$photos" --out hard --loss categorical_crossentropy --seed 1 --threads 1
  runs train photos.keras "$photos" --out smooth --loss categorical_crossentropy --label-smoothing 0.2 --seed 1 --threads 1
  config smooth '"class_name": "CategoricalCrossentropy".*"label_smoothing": 0.2'
  differ hard smooth
}

memory_sizes() {
  trains letters --memory 512M
  says '"memory": "512M"' letters/run.json
  trains share --memory 75%
  "$program" plan "$model" --memory 64M --json >m.json
  "$program" plan "$model" --memory 64MiB --json >mib.json
  says '"budget_bytes": 67108864' m.json
  says '"budget_bytes": 67108864' mib.json
  refuses 2 "--memory expects a size such as 512M, 2G, 200MB or 75%, found '512 apples'" plan "$model" --memory '512 apples'
  refuses 2 "found '101%'" plan "$model" --memory 101%
}

optimizer_settings
adaptive_clipping
going_on
schedules
thread_limit
early_stopping
class_weights
label_smoothing
memory_sizes
if [[ -n $python ]]; then
  "$python" "$here/judge.py" rate decay norm value global sums units percentile cosine warm exponential step piecewise polynomial smooth
  "$python" "$here/judge.py" --same-as "$program" table.csv
else
  echo "without the real Keras, which was not there"
fi
echo "the options of training do what they say"

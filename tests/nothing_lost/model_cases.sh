# Which models a run leaves. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# number NAME: in what evaluate printed.
number() { awk -v name="$1" '$1 == name { print $2 }' out; }

# is_finite MODEL: on the data.
is_finite() {
  runs evaluate "$1" table.csv --target price --loss mse
  [[ $(number loss) =~ ^[0-9.e+-]+$ ]] || fail "the loss of $1 is $(number loss)"
}

# A learning rate that is too large: weights grow until the loss is not finite. The last line says what is kept, and
# that can be used, however fast it went.
divergence_cases() {
  local rate
  for rate in 0.6 1 10 1e4; do
    refuses 5 "model.keras" train "${training[@]}" --out "diverged_$rate" --epochs 200 --batch-size 300 \
      --optimizer sgd --learning-rate "$rate" --loss mse
    says '"status": "failed"' "diverged_$rate/run.json"
    [[ -e diverged_$rate/model.keras ]] || continue
    tail -n 1 error | grep -E "; diverged_$rate/model.keras is the model after [0-9]+ epoch\(s\), the last that is finite" \
      >/dev/null || fail "$(cat error)"
    is_finite "diverged_$rate/model.keras"
  done
  exists diverged_0.6/model.keras

  # Of several batches per epoch, with validation: the best one is kept too.
  printf '{"module": "keras", "class_name": "Sequential", "config": {"name": "linear", "layers": [%s, %s]}}' \
    '{"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": [null, 2], "name": "i"}}' \
    '{"module": "keras.layers", "class_name": "Dense", "config": {"units": 1, "name": "d"}}' >linear.json
  refuses 5 "; validated/best.keras is that of epoch 1 (val_loss" train linear.json table.csv --target price --out validated \
    --epochs 200 --batch-size 50 --optimizer sgd --learning-rate 0.6 --loss mse --validation-split 0.1
  is_finite validated/model.keras
  is_finite validated/best.keras
  says '"model_epoch": ([2-9]|[1-9][0-9])' validated/run.json
}

# The last step makes the weights huge, and no loss has seen them: the model before it is kept, and the last line says so.
explosion_cases() {
  python3 - <<'EOF'
import json

def keras_object(module, class_name, /, **config):
    return {"module": module, "class_name": class_name, "config": config, "registered_name": None}

layers = [keras_object("keras.layers", "InputLayer", batch_shape=[None, 2], name="i"), keras_object("keras.layers", "Dense", units=1, name="d")]
model = keras_object("keras", "Sequential", name="linear", layers=layers)
rate = keras_object("keras.optimizers.schedules", "PiecewiseConstantDecay", boundaries=[3], values=[0.01, 1e30], name="jump")
model["compile_config"] = {"optimizer": keras_object("keras.optimizers", "SGD", name="SGD", learning_rate=rate), "loss": "mse"}
json.dump(model, open("jump.json", "w"))
EOF
  runs train jump.json table.csv --target price --out exploded --epochs 5 --batch-size 300
  says '^exploded/model.keras is the model after 4 epoch\(s\), the last that is finite' <(tail -n 1 out)
  is_finite exploded/model.keras
  # With one epoch there is no model before it.
  runs train "${training[@]}" --out at_once --batch-size 300 --optimizer sgd --learning-rate 1e30 --loss mse
  says '^no epoch has left a model whose loss is finite, so none is saved' <(tail -n 1 out)
  exists_not at_once/model.keras
}

# A record spoils a step of the first epoch: the model as it was before that step is kept.
first_epoch_cases() {
  { head -n 151 table.csv && echo "1e30,1e30,1" && tail -n +152 table.csv; } >spoilt.csv
  refuses 5 "; early/model.keras is saved after 0 epoch(s) and " train linear.json spoilt.csv --target price --out early --no-shuffle \
    --batch-size 10 --validation-split 0.1 --loss mse --no-checkpoints
  is_finite early/model.keras
  # Nothing was learnt before the first step.
  refuses 5 "no batch was done, so no model is saved" train linear.json spoilt.csv --target price --out never --no-shuffle \
    --batch-size 200 --validation-split 0.1 --loss mse --no-checkpoints
  exists_not never/model.keras
}

# With validation, best.keras is the model of the epoch whose val_loss is least.
best_cases() {
  runs train "${training[@]}" --out best --epochs 6 --validation table.csv --optimizer sgd --learning-rate 0.3 --seed 3
  says '^best/model.keras is saved after 6 epoch\(s\); best/best.keras is that of epoch [0-9]+ \(val_loss [0-9.e-]+\); peak' out
  local least epoch
  least=$(sed -nE 's/.*"event":"epoch".*"val_loss":([0-9.e-]+).*/\1/p' best/log.jsonl | sort -g | head -n 1)
  epoch=$(grep -F "\"val_loss\":$least" best/log.jsonl | sed -nE 's/.*"epoch":([0-9]+).*/\1/p' | head -n 1)
  says "\"epoch\": $epoch," best/run.json
  says '"metric": "val_loss"' best/run.json
  runs evaluate best/best.keras table.csv --target price
  awk -v a="$(number loss)" -v b="$least" 'BEGIN { exit !(a - b < 1e-5 * b && b - a < 1e-5 * b) }' ||
    fail "best.keras has a loss of $(number loss), the least was $least"

  runs train "${training[@]}" --out plain --epochs 2
  exists_not plain/best.keras
  says '"best": null' plain/run.json
  runs train "${training[@]}" --out without --epochs 2 --validation table.csv --no-save-best
  exists_not without/best.keras
  runs train "${training[@]}" --out once --validation table.csv
  exists once/best.keras
  runs train "${training[@]}" --out by_loss --epochs 2 --save-best loss
  says '"metric": "loss"' by_loss/run.json
  refuses 2 "'val_loss' is not measured without --validation or --validation-split (known: loss" \
    train "${training[@]}" --out refused --save-best
  refuses 2 "'val_accurate' is not measured (known: loss" \
    train "${training[@]}" --out refused --validation table.csv --save-best val_accurate
  refuses 2 "--save-best expects the name of a metric, found 'table.csv'" \
    train "$model" --save-best table.csv --out refused
  exists_not refused
}

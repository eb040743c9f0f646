# Kinds of data that a table or a folder becomes: folders of most, zip archives, file names, masks, windows, single images,
# standard input. Sourced by run.sh; images.keras sorts the photos.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

# An archive among class folders does not take the folder over.
folder_kind_cases() {
  cp -r "$photos" mixed
  runs evaluate images.keras mixed
  cp out by_class_folders
  (cd mixed && tar -cf mixed.tar rings && cp rings/0.png rings/0.tar.png && rm rings/0.png)
  echo "by me" >mixed/notes.md
  runs evaluate images.keras mixed
  cmp -s out by_class_folders || fail "a folder with an archive in it is no longer its images: $(cat out)"
  says "plimsoll: warning: mixed: is read as folders of images; 2 other file\(s\) in it are left out: mixed.tar, notes.md" error
  runs check mixed --json
  says '"reason": "other_files"' out
  cp "$photos/rings/0.png" mixed/stray.png
  runs evaluate images.keras mixed
  says "mixed: 1 image\(s\) beside the class folders are left out, such as stray.png" error
  mkdir nothing
  refuses 3 "nothing: expected a folder of images or texts, or of .tar or .tfrecord files; found no file" evaluate images.keras nothing
}

zip_cases() {
  (cd "$(dirname "$photos")" && python3 -m zipfile -c "$scratch/photos.zip" "$(basename "$photos")")
  runs evaluate images.keras photos.zip
  cmp -s out by_class_folders || fail "a zip archive is not its folder: $(cat out)"
  runs train images.keras photos.zip --out zip_run --validation-split 0.29 --augment flip
  says '"validation_records": 3$' zip_run/run.json
  exists zip_run/classes.json
  runs predict zip_run/model.keras photos.zip --out zip.csv
  says '^photos.zip/shapes/rings/0.png,(rings|stripes),' zip.csv
  runs check photos.zip --model images.keras
  runs bench-data photos.zip --image-size 24x24 --seconds 0.05
  says '^decode ' out
  runs convert photos.zip zipped.npz --image-size 24x24
  # What is no image of a class is named.
  python3 - photos.zip littered.zip <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as photos, zipfile.ZipFile(sys.argv[2], "w") as littered:
    names = [name for name in photos.namelist() if not name.endswith("/")]
    for name in names:
        littered.writestr(name, photos.read(name))
    outer = names[0].split("/")[0]
    littered.writestr(f"{outer}/stray.png", photos.read(names[0]))
    littered.writestr(f"{outer}/photos.tar", b"x")
    littered.writestr(f"{outer}/.DS_Store", b"x")
PY
  runs evaluate images.keras littered.zip
  says 'warning: littered.zip: 1 image\(s\) beside the class folders are left out, such as [a-z]*/stray.png' error
  says 'note: littered.zip: 1 file\(s\) in it that are no images are left out: [a-z]*/photos.tar' error
  head -c 3000 photos.zip >cut.zip
  refuses 3 "cut.zip: is not a zip archive, or its end is missing" evaluate images.keras cut.zip
}

# A table that names images is images for a model that takes them.
file_name_cases() {
  (cd mixed && echo "file,size,kind" && for photo in rings/*.png stripes/*.png; do echo "$photo,7,${photo%/*}"; done) >listed.csv
  mv listed.csv mixed
  runs evaluate images.keras mixed/listed.csv --target kind
  cmp -s out by_class_folders || fail "a table of the photos is not their folder: $(cat out)"
  says "note: mixed/listed.csv: column 'file' names the images; other columns are not inputs" error
  refuses 3 "mixed/listed.csv: name the column to learn with --target" evaluate images.keras mixed/listed.csv
  runs train images.keras mixed/listed.csv --target kind --out listed_run
  runs predict listed_run/model.keras mixed/listed.csv --out listed.csv
  says '^mixed/rings/1.png,(rings|stripes),' listed.csv
  runs check mixed/listed.csv --target kind --model images.keras
  runs convert mixed/listed.csv listed.npz --target kind --image-size 24x24
  echo "rings/none.png,7,rings" >>mixed/listed.csv
  refuses 3 "mixed/rings/none.png: cannot be opened" evaluate images.keras mixed/listed.csv --target kind
  refuses 3 "mixed/rings/none.png" train images.keras mixed/listed.csv --target kind --out none_run
  runs train images.keras mixed/listed.csv --target kind --out skipping --on-bad-record skip --max-bad 0.2
  says 'none.png' skipping/quarantine.jsonl
}

mask_cases() {
  python3 "$models/make_masks.py" "$photos" cells
  runs convert "$models/segment.json" segment.keras
  runs train segment.keras cells --out cells_run --epochs 2
  runs evaluate cells_run/model.keras cells
  runs predict cells_run/model.keras cells --out cells.npy
  runs check cells --model segment.keras
  runs convert cells cells.npz --image-size 24x24
  refuses 3 "has a mask or a second image, which would not be moved" train segment.keras cells --out moved_cells --augment flip
  cp "$photos/rings/0.png" cells/masks/3.png
  refuses 3 "cells/masks/3.png: the PNG image is damaged: it has colours" evaluate cells_run/model.keras cells
  rm cells/masks/3.png
  refuses 3 "cells/images/3.png: has no mask; expected cells/masks/3.png" train segment.keras cells --out bad_cells
}

# The target is a row of the future, and no row is in both parts.
window_cases() {
  awk 'BEGIN { print "load,wind"; for (i = 0; i < 200; ++i) print i / 100 "," i % 7 }' >load.csv
  runs convert "$models/forecast.json" forecast.keras
  local options=(--target load --window 24 --horizon 2)
  runs train forecast.keras load.csv "${options[@]}" --out forecast_run --validation-split 0.5
  says '"records": 87,$' forecast_run/run.json           # of 175 windows
  says '"validation_records": 63$' forecast_run/run.json # all that begin after the rows of the 87
  says '"window": 24,$' forecast_run/run.json
  says "25 window\(s\) between training and validation share rows with both and are left out" error
  runs evaluate forecast_run/model.keras load.csv "${options[@]}"
  says '^records +175$' out
  runs predict forecast_run/model.keras load.csv "${options[@]}" --out forecast.csv
  says '^load.csv:27,' forecast.csv # line 27 is row 25, two after the window of rows 0 to 23
  says '^load.csv:201\+2,' forecast.csv
  [[ $(wc -l <forecast.csv) == 178 ]] || fail "not one line per window: $(wc -l <forecast.csv)"
  runs check load.csv --model forecast.keras "${options[@]}"
  runs check load.csv "${options[@]}"
  runs convert load.csv load.npz "${options[@]}"
  runs evaluate forecast_run/model.keras load.npz
  says '^records +175$' out
  runs evaluate forecast_run/model.keras load.csv # the run remembers its window
  says '^records +175$' out
  refuses 3 "if the rows are a series, --window 24 makes records of 24 rows" \
    evaluate forecast.keras load.csv --target load
  refuses 3 "takes (24, 2); of a table, all columns are inputs, the target's too (--ignore leaves columns out)" \
    evaluate forecast.keras load.csv "${options[@]}" --ignore wind
  refuses 3 "--ignore names the column 'wind', which is an input of the model" \
    evaluate forecast_run/model.keras load.csv "${options[@]}" --ignore wind
  refuses 3 "load.csv: has 200 rows, a window of 300 rows" evaluate forecast_run/model.keras load.csv --target load --window 300
  refuses 3 "share rows, so they are split by their order" \
    train forecast.keras load.csv "${options[@]}" --out leak --validation-split 0.5 --split-by hash
  refuses 2 "--horizon requires --window" evaluate forecast_run/model.keras load.csv --target load --horizon 2
  refuses 2 "$photos: --window is for " evaluate images.keras "$photos" --window 3
}

one_image_cases() {
  runs predict zip_run/model.keras "$photos/rings/0.png"
  says '^file,class,probability$' out
  says "^$photos/rings/0.png,(rings|stripes),0\.[0-9]+" out
  [[ $(wc -l <out) == 2 ]] || fail "not one line for one image: $(cat out)"
  runs predict zip_run/model.keras "$photos/rings/*.png" --out several.csv
  [[ $(wc -l <several.csv) == 7 ]] || fail "not one line per image: $(cat several.csv)"
  refuses 3 "rings/0.png: is an image without its class" evaluate images.keras "$photos/rings/0.png"
  refuses 2 "predict: --json describes the file that --out names; give both" \
    predict zip_run/model.keras "$photos/rings/0.png" --json
}

standard_input_cases() {
  runs predict "$files/keras3_sequence.keras" table.csv --target price
  cp out by_name
  "$program" predict "$files/keras3_sequence.keras" - --target price <table.csv >out 2>error ||
    fail "standard input is not read: $(cat error)"
  cmp -s <(cut -d, -f2- out) <(cut -d, -f2- by_name) || fail "standard input predicts otherwise: $(cat out)"
  says '^-:2,' out
  echo '{"a": 1, "b": 2, "price": 3}' >one.jsonl
  "$program" convert - one.npz --target price <one.jsonl >out 2>error || fail "JSON-lines are not read: $(cat error)"
  "$program" evaluate "$files/keras3_sequence.keras" - <one.npz >out 2>error || fail "arrays are not read: $(cat error)"
  "$program" evaluate "$files/keras3_sequence.keras" - --target price </dev/null >out 2>error && fail "nothing is data"
  says '^plimsoll: -: standard input is empty$' error
}

text_folder_cases() {
  local class number
  for class in bad good; do
    mkdir -p "reviews/$class"
    for number in 1 2 3 4 5 6 7 8; do echo "This is $class!" >"reviews/$class/$number.txt"; done
  done
  runs convert "$models/reviews.json" reviews.keras
  runs train reviews.keras reviews --out reviews_run --epochs 40 --learning-rate 0.1
  runs evaluate reviews_run/model.keras reviews
  says '^accuracy +1$' out
  runs predict reviews_run/model.keras reviews --out reviews.csv
  says '^reviews/bad/1.txt,' reviews.csv
  runs check reviews --model reviews.keras
  # Four of each class of the same text: a split that is not shuffled has one class, and that of text_dataset_from_directory
  # with seed 0 two of each.
  for class in bad good; do
    mkdir -p "same/$class"
    for number in 1 2 3 4; do echo "the same" >"same/$class/$number.txt"; done
  done
  runs train reviews.keras same --out same_run --validation-split 0.5 --seed 0
  says_not 'sorted by class' error
  python3 -c "import json; assert json.load(open('same_run/run.json'))['result']['metrics']['val_accuracy'] == 0.5" ||
    fail "a folder of texts is split by its order: $(cat same_run/run.json)"
  rm -rf many
  for class in bad good; do
    mkdir -p "many/$class"
    for number in {1..30}; do echo "the same" >"many/$class/$number.txt"; done
  done
  runs train reviews.keras many --out many_run --validation-split 0.25 --no-shuffle
  says "warning: many: the validation is the last part of the data, and 100% of it is of class 'good', against 33% of the training part: .*\(--split-by hash takes" error
  refuses 3 "reviews: a folder of texts needs a model with one input of one string" evaluate images.keras reviews
  refuses 3 "reviews: is a folder of texts, which are read for a model" convert reviews reviews.npz
}

# Places that are not there, or lead nowhere, are named.
place_cases() {
  TMPDIR=/nowhere "$program" check - <table.csv >out 2>error && fail "a temporary folder that is not there is used"
  says '^plimsoll: /nowhere: is not a folder for temporary files; set TMPDIR to one$' error
  TMPDIR=/nowhere "$program" evaluate "$files/keras3_sequence.keras" table.npz >out 2>error ||
    fail "arrays that are read in place need a temporary folder: $(cat error)"
  ln -s loop loop
  refuses 3 "loop: cannot be opened: Too many levels of symbolic links" check loop
}

array_file_cases() {
  runs evaluate images.keras "$models/data.h5"
  says '^records +12$' out
  says "data.h5/x: is in chunks; it is written out once, 20.2 KiB in " error
  runs convert "$models/data.h5" from_h5.npz
  runs evaluate images.keras from_h5.npz
  runs check "$models/data.h5" --model images.keras
  runs convert "$models/data.h5" y.npy --array y
  refuses 3 "data.h5: expected a dataset 'z' of numbers, found x, y" convert "$models/data.h5" z.npy --array z
  refuses 2 "convert: $files/keras3_sequence.h5 is a model" convert "$files/keras3_sequence.h5" model.npz
  printf 'PAR1....PAR1' >table.parquet
  refuses 3 "table.parquet: is a Parquet file and not read here; write it as CSV" \
    evaluate "$files/keras3_sequence.keras" table.parquet --target price
}

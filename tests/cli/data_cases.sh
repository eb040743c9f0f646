# How the commands read data: tables, shapes, splits, classes, shards. Sourced by run.sh.
# shellcheck shell=bash disable=SC2154 # shares variables with run.sh

data_cases() {
  { echo "a,b,price" && echo "1,,2"; } >missing.csv
  refuses 3 "missing.csv:2:2: column 'b' has no value" \
    evaluate "$files/keras3_sequence.keras" missing.csv --target price
  runs evaluate "$files/keras3_sequence.keras" missing.csv --target price --missing 0
  refuses 3 "has no column 'cost' (the columns are a, b, price)" evaluate "$files/keras3_sequence.keras" table.csv --target cost
  refuses 3 "name the column to learn with --target" evaluate "$files/keras3_sequence.keras" table.csv
  refuses 3 "table.csv: has no column 'nothere' (the columns are a, b, price)" \
    evaluate "$files/keras3_sequence.keras" table.csv --target price --ignore nothere
  refuses 3 "table.csv: has no column 'nothere' (the columns are a, b, price)" \
    convert table.csv ignored.npz --target price --ignore a,nothere
  refuses 3 "nowhere.npz: cannot be opened" evaluate "$files/keras3_sequence.keras" nowhere.npz
  refuses 3 "nowhere.keras" evaluate nowhere.keras table.csv
  head -c 20000 "$files/keras3_sequence.keras" >cut.keras
  refuses 3 "cut.keras" summary cut.keras
  runs convert table.csv table.npz --target price
  head -c 300 table.npz >cut.npz
  refuses 3 "cut.npz" evaluate "$files/keras3_sequence.keras" cut.npz
}

# Records that the model does not take: the sentence begins with the data.
shape_cases() {
  runs convert "$models/model.json" images.keras
  refuses 3 "plimsoll: table.npz: a record has the shape (2,), the model's input 'input_layer' takes (24, 24, 3)" \
    evaluate images.keras table.npz
  refuses 3 "plimsoll: $photos: the model's input 'input_layer' takes images of 24x24, and they are resized to that" \
    train images.keras "$photos" --out small_images --image-size 10x10
  exists_not small_images
  runs predict images.keras "$photos" --out images.csv --image-size 24x24
}

# Folders are split as Keras splits them, other data by fit; by hash, what is chosen depends on the names alone.
split_cases() {
  runs train images.keras "$photos" --out folder_split --validation-split 0.29
  says '"validation_records": 3$' folder_split/run.json # of 12; int(0.29 * 12)
  says '"split_by": "order"' folder_split/run.json
  cp -r "$photos" moved
  local seed
  for seed in 1 2; do
    runs train images.keras moved/ --out "hash_$seed" --validation-split 0.3 --split-by hash --seed "$seed"
    says '"validation_records": 2$' "hash_$seed/run.json" # stripes/0.png and rings/1.png
  done
  runs train "$files/keras3_sequence.keras" table.csv --target price --out table_split --validation-split 0.1 --split-by hash
  says '"validation_records": 25$' table_split/run.json
  says '"records": 275,$' table_split/run.json
  refuses 2 "--split-by name not in {order,hash}" train a b --out run --validation-split 0.2 --split-by name
  refuses 2 "--split-by requires --validation-split" train a b --out run --split-by hash
  refuses 3 "validation_split 0.01 of 12 records leaves one part empty: 0 would be for validation" \
    train images.keras "$photos" --out none --validation-split 0.01
  exists_not none
}

# The names of classes are in a file beside the arrays, in the order that --classes gives.
class_cases() {
  runs convert "$photos" shapes.npz --image-size 24x24
  says '^shapes.npz: data written; the names of the classes are in shapes.classes.json$' out
  [[ $(tr -d ' \n' <shapes.classes.json) == '["rings","stripes"]' ]] || fail "other classes: $(cat shapes.classes.json)"
  echo '["stripes", "rings"]' >order.json
  runs convert "$photos" turned.npz --image-size 24x24 --classes order.json --json
  says '"classes": "turned.classes.json"' out
  [[ $(tr -d ' \n' <turned.classes.json) == '["stripes","rings"]' ]] || fail "--classes does not order"
  ! cmp -s shapes.npz turned.npz || fail "--classes does not number"
  runs train images.keras shapes.npz --out shapes --classes shapes.classes.json
  runs predict shapes/model.keras "$photos" --out shapes.csv
  says ',(rings|stripes),' shapes.csv
  { echo "a,b,kind" && echo "1,2,low" && echo "2,3,high"; } >kinds.csv
  runs convert kinds.csv kinds.npz --target kind
  [[ $(tr -d ' \n' <kinds.classes.json) == '["high","low"]' ]] || fail "other classes: $(cat kinds.classes.json)"
  runs convert table.csv unnamed.npz --target price --json
  says_not 'classes' out
  exists_not unnamed.classes.json
  refuses 3 "nowhere.json: cannot be opened" convert "$photos" shapes.npz --classes nowhere.json
  refuses 2 "--classes is for folders of images and for a --target of names; table.npz has no names of classes" \
    convert table.npz copy.npz --classes order.json
  refuses 2 "--classes is an option for data, but copy.keras is a model" convert run/model.keras copy.keras --classes order.json
}

# The photos in tar archives, and rows in IDX files: several files by a pattern, between commas, or of a folder.
shard_cases() {
  local number=0 photo data
  mkdir -p members shards
  for photo in "$photos"/*/*; do
    cp "$photo" "members/$number.${photo##*.}"
    if [[ $photo == */rings/* ]]; then echo 0; else echo 1; fi >"members/$number.cls"
    number=$((number + 1))
  done
  (cd members && tar -cf ../shards/a-0.tar [0-4].* && tar -cf ../shards/a-1.tar [5-9].* 1[01].*)
  runs evaluate images.keras "$photos"
  cp out by_folder
  for data in shards 'shards/a-*.tar' shards/a-0.tar,shards/a-1.tar; do
    runs evaluate images.keras "$data"
    cmp -s out by_folder || fail "$data does not evaluate as the folder of the photos: $(cat out)"
  done
  runs train images.keras 'shards/a-*.tar' --out from_tar --validation shards/a-1.tar
  says 'val_accuracy' out
  runs convert shards tar.npz --image-size 24x24
  refuses 3 "shards/b-*.tar: no file has a name like this" evaluate images.keras 'shards/b-*.tar'
  refuses 3 "several files must all be of one of these kinds" \
    evaluate images.keras shards/a-0.tar,table.csv
  refuses 3 "shards/a-0.tar/0.cls: expected the number of a class, found 'ring'" evaluate images.keras "$(spoilt_shard)"
  printf '\0\0\010\002\0\0\0\3\0\0\0\2abcdef' >x-idx2-ubyte
  printf '\0\0\010\001\0\0\0\3ace' >y-idx1-ubyte
  runs convert x-idx2-ubyte,y-idx1-ubyte idx.npz
  runs evaluate run/model.keras idx.npz
  cp out by_npz
  runs evaluate run/model.keras x-idx2-ubyte,y-idx1-ubyte
  cmp -s out by_npz || fail "IDX files and the .npz of them do not evaluate alike"
}

spoilt_shard() {
  mkdir -p spoilt/shards
  cp members/0.* spoilt
  echo ring >spoilt/0.cls
  (cd spoilt && tar -cf shards/a-0.tar 0.*)
  echo spoilt/shards/a-0.tar
}

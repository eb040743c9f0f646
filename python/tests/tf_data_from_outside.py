"""Pipelines of tf.data over files and generators: FROM_OUTSIDE has a function of tf for each name."""

import os
import tempfile

import numpy as np

ROWS = np.arange(24, dtype=np.float32).reshape(8, 3)
LABELS = np.array([0, 1, 2, 0, 1, 2, 0, 1])


def _csv_file():
    name = os.path.join(tempfile.mkdtemp(), "rows.csv")
    with open(name, "w") as file:
        file.write("age,name,score,big,flag\n1,ann,1.5,3000000000,x\n")
        file.write('2,"bob, jr",2,1,\n,"q""t",,2,y\n')
    return name


def _csv(tf, **options):
    options = {"shuffle": False, "num_epochs": 1, **options}
    return tf.data.experimental.make_csv_dataset(_csv_file(), 2, **options)


def generator_with_types(tf):
    def endless():
        while True:
            yield ROWS[:2], LABELS[:2]

    return tf.data.Dataset.from_generator(endless, (tf.float32, tf.int64)).take(2)


def generator_with_types_and_shapes(tf):
    return tf.data.Dataset.from_generator(
        lambda n: ((ROWS[:k], LABELS[:k]) for k in range(n)),
        args=[3],
        output_types=(tf.float32, tf.int32),
        output_shapes=((None, 3), (None,)),
    )


def generator_with_a_signature(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([{"a": 1, "b": [1.0]}, {"a": 2, "b": [2.0]}]),
        output_signature={"a": tf.TensorSpec((), tf.int32), "b": tf.TensorSpec((1,), tf.float32)},
    ).batch(2)


def generator_of_numbers_of_another_type(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([np.float64(1.5), 2, np.int64(3), True]),
        output_signature=tf.TensorSpec((), tf.float32),
    )


def _generator_of(value, *shape_and_type):
    def make(tf):
        shape, dtype = shape_and_type
        return tf.data.Dataset.from_generator(
            lambda: iter([value]), output_signature=tf.TensorSpec(shape, dtype)
        )

    return make


def generator_of_another_structure(tf):
    return tf.data.Dataset.from_generator(
        lambda: iter([(1, 2, 3)]), output_types=(tf.int32, tf.int32)
    )


def cached_in_a_file(tf):
    folder = tempfile.mkdtemp()
    dataset = tf.data.Dataset.from_tensor_slices({"a": ["x", "y"], "b": ([1, 2], ROWS[:2])})
    return dataset.cache(os.path.join(folder, "kept")).repeat(3)


FROM_OUTSIDE = dict(
    csv=_csv,
    csv_with_a_label=lambda tf: _csv(tf, label_name="flag"),
    csv_with_a_label_that_is_not_there=lambda tf: _csv(tf, label_name="flags"),
    csv_with_some_columns=lambda tf: _csv(tf, select_columns=["score", "age"]),
    csv_for_ever=lambda tf: _csv(tf, num_epochs=None).take(4),
    csv_with_defaults=lambda tf: _csv(tf, column_defaults=[-1.0, "z", -2.0, tf.int64, "n"]),
    csv_with_an_empty_field_that_is_required=lambda tf: _csv(
        tf, column_defaults=[tf.float32, "z", -2.0, tf.int64, "n"]
    ),
    shuffled_csv=lambda tf: _csv(tf, shuffle=True).unbatch(),
    csv_rows=lambda tf: tf.data.experimental.CsvDataset(
        _csv_file(), [0, "", 7.5, tf.int64, "n"], header=True
    ),
    csv_rows_of_some_columns=lambda tf: tf.data.experimental.CsvDataset(
        _csv_file(), [0, "m"], header=True, select_cols=[0, 4]
    ),
    csv_rows_of_the_wrong_width=lambda tf: tf.data.experimental.CsvDataset(_csv_file(), [0, ""]),
    csv_files_that_are_not_there=lambda tf: tf.data.experimental.make_csv_dataset("/no/such*", 2),
    generator_of_a_text_for_a_number=_generator_of("a", (), "int32"),
    generator_of_a_fraction_for_a_number=_generator_of(1.5, (), "int32"),
    generator_of_another_shape=_generator_of([1, 2], (3,), "int32"),
    generator_of_a_number_for_a_text=_generator_of(1, (), "string"),
    generator_of_a_text=_generator_of("é", (), "string"),
    generator_with_types=generator_with_types,
    generator_with_types_and_shapes=generator_with_types_and_shapes,
    generator_with_a_signature=generator_with_a_signature,
    generator_of_numbers_of_another_type=generator_of_numbers_of_another_type,
    generator_of_another_structure=generator_of_another_structure,
    cached_in_a_file=cached_in_a_file,
)

"""run_layer_test of Keras's tests, by what it asks of a layer.

A layer is written and read, built from shapes, called on symbolic tensors and on values, trained for
a step, and made with the policy mixed_float16. How many seed generators a layer holds is not asked:
Plimsoll's layers have none.
"""
import numpy as np

from plimsoll import keras


def check_layer(test, layer_cls, init_kwargs, input_shape=None, input_dtype=None, input_sparse=False,
                input_ragged=False, input_data=None, call_kwargs=None, expected_output_shape=None,
                expected_output_dtype=None, expected_output_sparse=False, expected_output_ragged=False,
                expected_output=None, expected_num_trainable_weights=None,
                expected_num_non_trainable_weights=None, expected_num_non_trainable_variables=None,
                expected_num_seed_generators=None, expected_num_losses=None, supports_masking=None,
                expected_mask_shape=None, custom_objects=None, run_training_check=True,
                run_mixed_precision_check=True, assert_built_after_instantiation=False,
                tpu_atol=None, tpu_rtol=None):
    """Does all that; the parameters are those of Keras's tests."""
    if input_sparse or input_ragged:
        test.fail("Plimsoll has no sparse or ragged tensors")
    call_kwargs = call_kwargs or {}
    counts = {"trainable_weights": expected_num_trainable_weights,
              "non_trainable_weights": expected_num_non_trainable_weights,
              "non_trainable_variables": expected_num_non_trainable_variables}
    outputs = _Outputs(test, expected_output_shape, expected_output_dtype, expected_output)

    layer = layer_cls(**init_kwargs)
    test.run_class_serialization_test(layer, custom_objects)
    if supports_masking is not None:
        test.assertEqual(layer.supports_masking, supports_masking)
    if assert_built_after_instantiation:
        _check_built(test, layer_cls, init_kwargs)
    if input_shape is None and input_data is None:
        return

    if input_data is None:
        input_data = _random_values(input_shape, input_dtype)
    shapes = input_shape or keras.tree.map_structure(lambda x: tuple(x.shape), input_data)
    _check_build(test, layer_cls(**init_kwargs), shapes, counts)

    symbols = _symbols(shapes, input_dtype, input_data)
    layer = layer_cls(**init_kwargs)
    outputs.check(_call(layer, symbols, call_kwargs))
    _check_counts(test, layer, counts)
    if expected_mask_shape is not None:
        test.assertEqual(tuple(layer.compute_mask(symbols).shape), tuple(expected_mask_shape))

    layer = layer_cls(**init_kwargs)
    values = _call(layer, input_data, call_kwargs)
    outputs.check(values, has_values=True)
    if expected_num_losses is not None:
        test.assertLen(layer.losses, expected_num_losses)
    if run_training_check:
        _train_one_step(layer, input_data, values)
    if run_mixed_precision_check:
        _check_mixed_precision(test, layer_cls, init_kwargs, input_data, symbols, call_kwargs)


class _Outputs:
    """Compares what a layer gives with what a test expects."""

    def __init__(self, test, shape, dtype, value):
        self.test, self.shape, self.dtype, self.value = test, shape, dtype, value

    def check(self, output, has_values: bool = False):
        tensors = keras.tree.flatten(output)
        if self.shape is not None:
            expected = _flat_shapes(self.shape)
            self.test.assertEqual(len(expected), len(tensors))
            for shape, tensor in zip(expected, tensors):
                self.test.assertTrue(_fits(tuple(tensor.shape), shape),
                                     f"the shape is {tuple(tensor.shape)}, expected {shape}")
        if self.dtype is not None:
            for dtype, tensor in zip(keras.tree.flatten(self.dtype), tensors):
                self.test.assertDType(tensor, dtype)
        if has_values and self.value is not None:
            for expected, tensor in zip(keras.tree.flatten(self.value), tensors, strict=True):
                self.test.assertAllClose(tensor, expected)


def _fits(shape: tuple, expected: tuple) -> bool:
    return len(shape) == len(expected) and all(
        wanted is None or size == wanted for size, wanted in zip(shape, expected))


def _is_shape(value) -> bool:
    return isinstance(value, tuple) and all(size is None or isinstance(size, int) for size in value)


def _flat_shapes(shapes) -> list:
    if _is_shape(shapes):
        return [shapes]
    parts = shapes.values() if isinstance(shapes, dict) else shapes
    return [shape for part in parts for shape in _flat_shapes(part)]


def _map_shapes(function, shapes, dtypes):
    """The structure of shapes with the function's result for each shape and its dtype."""
    if _is_shape(shapes):
        return function(shapes, dtypes or "float32")
    if isinstance(shapes, dict):
        return {key: _map_shapes(function, shape, dtypes and dtypes[key]) for key, shape in shapes.items()}
    return type(shapes)(_map_shapes(function, shape, dtypes and dtypes[i]) for i, shape in enumerate(shapes))


def _named(values):
    """Arguments by name: what is called x_shape in a dict of shapes is the argument x."""
    if isinstance(values, dict):
        return {key.removesuffix("_shape"): value for key, value in values.items()}
    return values


def _random_values(shapes, dtypes):
    random = np.random.default_rng(0)

    def value(shape, dtype):
        return keras.ops.convert_to_tensor((3 * random.random(shape)).astype(dtype))

    return _named(_map_shapes(value, shapes, dtypes))


def _symbols(shapes, dtypes, data):
    if dtypes is None and not isinstance(shapes, dict):
        return keras.tree.map_structure(
            lambda x: keras.KerasTensor(tuple(x.shape), dtype=keras.backend.standardize_dtype(x.dtype)), data)
    return _named(_map_shapes(lambda shape, dtype: keras.KerasTensor(shape, dtype=dtype), shapes, dtypes))


def _call(layer, inputs, call_kwargs):
    if isinstance(inputs, dict):
        return layer(**inputs, **call_kwargs)
    return layer(inputs, **call_kwargs)


def _check_built(test, layer_cls, init_kwargs):
    test.assertTrue(layer_cls(**init_kwargs).built, "a layer without weights is built from the beginning")


def _check_build(test, layer, shapes, counts):
    if isinstance(shapes, dict):
        layer.build(**shapes)
    else:
        layer.build(shapes)
    test.assertTrue(layer.built)
    _check_counts(test, layer, counts)


def _check_counts(test, layer, counts):
    for name, count in counts.items():
        if count is not None:
            test.assertLen(getattr(layer, name), count, f"{name} of {layer}")


def _train_one_step(layer, inputs, outputs):
    class Around(keras.Model):
        def __init__(self):
            super().__init__()
            self.layer = layer

        def call(self, x, training=False):
            return self.layer(x, training=training)

    class SumOfOutputs(keras.losses.Loss):
        def __call__(self, y_true, y_pred, sample_weight=None):
            return keras.ops.sum(y_pred)

    def batches():
        while True:
            yield inputs, outputs

    model = Around()
    model.compile(optimizer="sgd", loss=SumOfOutputs())
    model.fit(batches(), steps_per_epoch=1, verbose=0)


def _check_mixed_precision(test, layer_cls, init_kwargs, inputs, symbols, call_kwargs):
    layer = layer_cls(**{**init_kwargs, "dtype": "mixed_float16"})
    values = keras.tree.flatten(_call(layer, inputs, call_kwargs))
    named = symbols if isinstance(symbols, dict) else None
    specs = layer.compute_output_spec(**named) if named else layer.compute_output_spec(symbols)
    for value, spec in zip(values, keras.tree.flatten(specs), strict=True):
        test.assertDType(value, spec.dtype)
    for weight in layer.weights:
        test.assertIn(keras.backend.standardize_dtype(weight.dtype), ("float32", "int32", "int64", "bool", "string"))

"""keras.metrics: classes, functions, names and metrics of the user's own."""
import numpy as np
import pytest

from plimsoll.keras import metrics

LABELS = np.array([0, 2, 1], np.int32)
SCORES = np.array([[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.2, 0.7, 0.1]], np.float32)


def test_a_metric_adds_up_batches():
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy.update_state(LABELS[:1], SCORES[:1])
    accuracy.update_state(LABELS[1:], SCORES[1:])
    assert float(accuracy.result()) == pytest.approx(2 / 3)
    assert accuracy.result().numpy() == pytest.approx(2 / 3)
    assert f"{accuracy.result():.2f}" == "0.67"


def test_reset_forgets_everything():
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy(LABELS, SCORES)
    accuracy.reset_state()
    assert float(accuracy.result()) == 0
    accuracy.reset_states()


def test_a_mean_takes_values_alone():
    mean = metrics.Mean(name="loss")
    mean.update_state(2.0)
    mean.update_state([4.0, 6.0])
    mean(8.0)
    assert float(mean.result()) == 5
    assert mean.name == "loss"
    mean.reset_state()
    mean.update_state([1.0, 3.0], sample_weight=[3.0, 1.0])
    assert float(mean.result()) == 1.5
    total = metrics.Sum()
    total.update_state([1.0, 2.0])
    assert float(total.result()) == 3


def test_a_metric_with_several_results_gives_all():
    score = metrics.F1Score(average=None)
    score.update_state(np.eye(3, dtype=np.float32)[LABELS], SCORES)
    assert np.asarray(score.result()) == pytest.approx([1.0, 2 / 3, 0.0], abs=1e-6)


def test_weights_of_samples_count():
    accuracy = metrics.SparseCategoricalAccuracy()
    accuracy.update_state(LABELS, SCORES, sample_weight=[0.0, 1.0, 1.0])
    assert float(accuracy.result()) == 0.5


def test_functions_give_a_value_per_sample():
    one_hot = np.eye(3, dtype=np.float32)[LABELS]
    assert list(np.asarray(metrics.sparse_categorical_accuracy(LABELS, SCORES))) == [1, 0, 1]
    assert list(np.asarray(metrics.categorical_accuracy(one_hot, SCORES))) == [1, 0, 1]
    assert list(np.asarray(metrics.sparse_top_k_categorical_accuracy(LABELS, SCORES, k=2))) == [
        1, 1, 1]
    assert list(np.asarray(metrics.top_k_categorical_accuracy(one_hot, SCORES, k=1))) == [1, 0, 1]
    said = metrics.binary_accuracy([[1, 0], [1, 1]], [[0.9, 0.6], [0.4, 0.7]], threshold=0.5)
    assert list(np.asarray(said)) == [0.5, 0.5]
    assert np.asarray(metrics.mean_absolute_error([[1.0, 2.0]], [[2.0, 4.0]])) == 1.5
    assert metrics.mae is metrics.mean_absolute_error


def test_get_takes_every_form():
    def own(y_true, y_pred):
        return y_pred - y_true

    for form in ("accuracy", "acc", "mse", "AUC", "auc", metrics.Precision, metrics.Recall(),
                 metrics.serialize(metrics.AUC(num_thresholds=5)), own, metrics.mean_squared_error):
        metric = metrics.get(form)
        assert isinstance(metric, metrics.Metric)
        assert metric._handle.name
    assert metrics.get("acc").name == "acc"
    assert metrics.get(own).name == "own"


def test_accuracy_by_name_chooses_by_the_shapes():
    accuracy = metrics.get("accuracy")
    accuracy.update_state(LABELS, SCORES)
    assert float(accuracy.result()) == pytest.approx(2 / 3)


def test_get_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="'acuracy' is not known"):
        metrics.get("acuracy")


class CountOfLarge(metrics.Metric):
    """How many predictions are above a limit."""

    def __init__(self, limit=0.5, name="count_of_large", **kwargs):
        super().__init__(name=name, **kwargs)
        self.limit = limit
        self.count = self.add_weight(name="count", initializer="zeros")
        self.batches = self.add_variable(shape=(), initializer="zeros", dtype="int32", name="n")

    def update_state(self, y_true, y_pred, sample_weight=None):
        large = np.asarray(y_pred) > self.limit
        self.count.assign_add(float(large.sum()))
        self.batches.assign_add(1)

    def result(self):
        return self.count.value


def test_a_metric_of_the_users_own_has_variables_and_methods():
    metric = CountOfLarge()
    assert float(metric(LABELS, SCORES)) == 3
    assert float(metric(LABELS, SCORES)) == 6
    assert [int(v.numpy()) for v in metric.variables] == [6, 2]
    metric.reset_state()
    assert float(metric.result()) == 0
    assert metric.get_config()["name"] == "count_of_large"


def test_the_engine_calls_a_metric_of_the_users_own():
    metric = CountOfLarge()
    handle = metric._handle
    handle.update_state(LABELS, SCORES)
    assert handle.result() == 3
    handle.reset_state()
    assert handle.result() == 0


def test_a_wrapper_takes_the_mean_of_a_function():
    metric = metrics.MeanMetricWrapper(lambda y_true, y_pred, by: (y_pred - y_true) * by, by=2.0,
                                       name="difference")
    metric.update_state([1.0, 2.0], [2.0, 4.0])
    assert float(metric.result()) == 3

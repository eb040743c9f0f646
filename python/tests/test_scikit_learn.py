"""Models as estimators of scikit-learn."""
import numpy as np
import pytest

from plimsoll import keras
from plimsoll.keras.wrappers.scikit_learn import KerasClassifier, KerasRegressor

X = np.random.default_rng(3).normal(size=(120, 4))
KINDS = np.where(X[:, 0] > 0, "up", "down")


def classifier(units=8, loss="sparse_categorical_crossentropy"):
    model = keras.Sequential([keras.layers.Dense(units, activation="relu", input_dim=4),
                              keras.layers.Dense(2, activation="softmax")])
    model.compile(keras.optimizers.Adam(0.02), loss, metrics=["accuracy"])
    return model


def regressor():
    model = keras.Sequential([keras.layers.Dense(1, input_dim=4)])
    model.compile(keras.optimizers.Adam(0.1), "mse")
    return model


@pytest.mark.parametrize("loss", ["sparse_categorical_crossentropy", "categorical_crossentropy"])
def test_a_classifier_learns_classes_of_any_values(loss):
    estimator = KerasClassifier(build_fn=classifier, loss=loss, epochs=20, batch_size=16, verbose=0)
    history = estimator.fit(X, KINDS)
    assert len(history.epoch) == 20 and list(estimator.classes_) == ["down", "up"]
    predicted = estimator.predict(X)
    assert set(predicted) <= {"down", "up"} and estimator.predict_proba(X).shape == (120, 2)
    assert estimator.score(X, KINDS) == pytest.approx(np.mean(predicted == KINDS)) and np.mean(predicted == KINDS) > 0.9


def test_a_regressor_scores_by_its_loss():
    estimator = KerasRegressor(build_fn=regressor, epochs=60, verbose=0)
    estimator.fit(X, X.sum(1))
    predicted = estimator.predict(X)
    assert predicted.shape == (120,)
    assert estimator.score(X, X.sum(1)) == pytest.approx(-np.mean((predicted - X.sum(1)) ** 2), abs=1e-5)


def test_settings_are_checked_and_can_be_changed():
    estimator = KerasClassifier(build_fn=classifier, units=4, epochs=1)
    estimator.set_params(units=5)
    assert estimator.get_params() == {"units": 5, "epochs": 1, "build_fn": classifier}
    with pytest.raises(ValueError, match="'unit' is an argument neither"):
        KerasClassifier(build_fn=classifier, unit=4)


def test_scikit_learn_searches_with_it():
    model_selection = pytest.importorskip("sklearn.model_selection")
    estimator = KerasClassifier(build_fn=classifier, epochs=10, batch_size=16, verbose=0)
    assert model_selection.cross_val_score(estimator, X, KINDS, cv=3).shape == (3,)
    search = model_selection.GridSearchCV(estimator, {"units": [2, 8]}, cv=2).fit(X, KINDS)
    assert search.best_params_["units"] in (2, 8)

"""keras.wrappers.scikit_learn: a function that makes a compiled model, as an estimator.

scikit-learn need not be there; where it is, these classes are estimators for its searches and folds.
"""
import copy
import inspect

import numpy as np

from plimsoll.keras.models import Sequential
from plimsoll.keras.utils import to_categorical

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
except ImportError:
    BaseEstimator, ClassifierMixin, RegressorMixin = (type(name, (), {}) for name in (
        "BaseEstimator", "ClassifierMixin", "RegressorMixin"))

# What evaluate() and predict() take of the settings that are meant for fit().
_METHODS = {"fit": Sequential.fit, "predict": Sequential.predict, "evaluate": Sequential.evaluate}


class _Wrapper:
    """What the estimators have in common.

    Arguments:
        build_fn: function that returns a compiled model; a subclass may have a method __call__ instead.
        sk_params: arguments of build_fn, and of fit and predict: epochs, batch_size, …
    """

    def __init__(self, build_fn=None, **sk_params):
        self.build_fn, self.sk_params = build_fn, sk_params
        self._check(sk_params)

    def _check(self, params: dict) -> None:
        known = set(_arguments_of(self._builder())).union(*map(_arguments_of, _METHODS.values()))
        for name in params:
            if name not in known and name != "nb_epoch":
                raise ValueError(f"{type(self).__name__}: '{name}' is an argument neither of the function that "
                                 "makes the model nor of fit, predict and evaluate")

    def _builder(self):
        return self.build_fn if self.build_fn is not None else self.__call__

    def get_params(self, deep=True) -> dict:
        """The settings, for scikit-learn's copies."""
        return {**copy.copy(self.sk_params), "build_fn": self.build_fn}

    def set_params(self, **params):
        """Changes settings."""
        if "build_fn" in params:
            self.build_fn = params.pop("build_fn")
        self._check(params)
        self.sk_params.update(params)
        return self

    def _given(self, function, more: dict) -> dict:
        names = _arguments_of(function)
        return {**{name: value for name, value in self.sk_params.items() if name in names}, **more}

    def _fit(self, x, y, **kwargs):
        builder = self._builder()
        self.model = builder(**self._given(builder, {}))
        if self.model.loss == "categorical_crossentropy" and np.ndim(y) != 2:
            y = to_categorical(y)
        self.history_ = self.model.fit(x, y, **self._given(_METHODS["fit"], kwargs))
        return self.history_

    def _predict(self, x, kwargs: dict):
        return self.model.predict(x, **self._given(_METHODS["predict"], kwargs))

    def _evaluate(self, x, y, kwargs: dict) -> dict:
        given = self._given(_METHODS["evaluate"], kwargs)
        return self.model.evaluate(x, y, **{**given, "return_dict": True})


class KerasClassifier(_Wrapper, ClassifierMixin, BaseEstimator):
    """A classifier. Classes may be any values, texts too."""

    def fit(self, x, y, **kwargs):
        """Makes a new model and trains it; returns its history."""
        y = np.array(y)
        if y.ndim == 2 and y.shape[1] > 1:
            self.classes_ = np.arange(y.shape[1])
        else:
            self.classes_, numbers = np.unique(y, return_inverse=True)
            y = numbers.reshape(y.shape)
        self.n_classes_ = len(self.classes_)
        return self._fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """The class of each sample."""
        found = self._predict(x, kwargs)
        numbers = found.argmax(-1) if found.shape[-1] > 1 else (found > 0.5).astype("int32").reshape(-1)
        return self.classes_[numbers]

    def predict_proba(self, x, **kwargs):
        """The probability of each class, for two classes too."""
        found = self._predict(x, kwargs)
        return np.hstack([1 - found, found]) if found.shape[1] == 1 else found

    def score(self, x, y, **kwargs) -> float:
        """The accuracy; the model must be compiled with it."""
        y = np.array(y)
        if not (y.ndim == 2 and y.shape[1] > 1):
            y = np.searchsorted(self.classes_, y)
            if self.model.loss == "categorical_crossentropy":
                y = to_categorical(y, self.n_classes_)
        found = self._evaluate(x, y, kwargs)
        for name in ("accuracy", "acc"):
            if name in found:
                return found[name]
        raise ValueError("KerasClassifier: the model must be compiled with metrics=['accuracy'] for score()")


class KerasRegressor(_Wrapper, RegressorMixin, BaseEstimator):
    """A regressor."""

    def fit(self, x, y, **kwargs):
        """Makes a new model and trains it; returns its history."""
        return self._fit(x, y, **kwargs)

    def predict(self, x, **kwargs):
        """The number of each sample."""
        return np.squeeze(self._predict(x, kwargs), -1)

    def score(self, x, y, **kwargs) -> float:
        """The negative loss, as larger scores are better."""
        return -self._evaluate(x, y, kwargs)["loss"]


def _arguments_of(function) -> list:
    return [name for name in inspect.signature(function).parameters if name != "self"]

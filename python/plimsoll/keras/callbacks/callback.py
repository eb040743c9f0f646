"""Callback: the base of all callbacks."""

HOOKS = ("on_train_begin", "on_train_end", "on_epoch_begin", "on_epoch_end",
         "on_train_batch_begin", "on_train_batch_end", "on_test_begin", "on_test_end",
         "on_test_batch_begin", "on_test_batch_end", "on_predict_begin", "on_predict_end",
         "on_predict_batch_begin", "on_predict_batch_end")


class Callback:
    """Derive from it and write the hooks that you need; `self.model` is the model that is trained."""

    def __init__(self):
        self.params = None
        self._model = None

    model = property(lambda self: self.__dict__.get("_model"))

    def set_params(self, params: dict) -> None:
        self.params = params

    def set_model(self, model) -> None:
        self._model = model

    def on_epoch_begin(self, epoch, logs=None):
        """Before an epoch, counted from 0."""

    def on_epoch_end(self, epoch, logs=None):
        """After an epoch and its validation; `logs` has their numbers."""

    def on_train_begin(self, logs=None):
        """Before the first epoch."""

    def on_train_end(self, logs=None):
        """After the last epoch."""

    def on_train_batch_begin(self, batch, logs=None):
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch, logs=None):
        self.on_batch_end(batch, logs)

    def on_batch_begin(self, batch, logs=None):
        """Keras 2's name of on_train_batch_begin."""

    def on_batch_end(self, batch, logs=None):
        """Keras 2's name of on_train_batch_end."""

    def on_test_begin(self, logs=None):
        """Before an evaluation, that of fit's validation too."""

    def on_test_end(self, logs=None):
        """After an evaluation."""

    def on_test_batch_begin(self, batch, logs=None):
        """Before a batch of an evaluation."""

    def on_test_batch_end(self, batch, logs=None):
        """After a batch of an evaluation."""

    def on_predict_begin(self, logs=None):
        """Before predict."""

    def on_predict_end(self, logs=None):
        """After predict."""

    def on_predict_batch_begin(self, batch, logs=None):
        """Before a batch of predict."""

    def on_predict_batch_end(self, batch, logs=None):
        """After a batch of predict."""


_OLD = {"on_train_batch_begin": "on_batch_begin", "on_train_batch_end": "on_batch_end"}


def hooks_of(callback) -> set:
    """The hooks that the callback's class or object really has, so that others are not called."""
    found = set()
    for hook in HOOKS:
        for name in (hook, _OLD.get(hook)):
            if name is None:
                continue
            own = getattr(type(callback), name, None)
            if name in callback.__dict__ or (own is not None and own is not getattr(Callback, name)):
                found.add(hook)
    return found

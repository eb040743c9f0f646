"""Weights in files of their own."""


def save_weights(model, filepath, overwrite=True, **kwargs) -> None:
    """Writes the weights of a model."""
    model.save_weights(filepath, overwrite, **kwargs)


def load_weights(model, filepath, skip_mismatch=False, **kwargs) -> None:
    """Reads the weights of a model."""
    model.load_weights(filepath, skip_mismatch, **kwargs)

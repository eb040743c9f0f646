"""Weights in files of their own."""


def save_weights(model, filepath, overwrite=True, max_shard_size=None, **kwargs) -> None:
    """Writes the weights of a model."""
    model.save_weights(filepath, overwrite, max_shard_size, **kwargs)


def load_weights(model, filepath, skip_mismatch=False, **kwargs) -> None:
    """Reads the weights of a model."""
    model.load_weights(filepath, skip_mismatch, **kwargs)

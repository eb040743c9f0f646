"""Methods of tf.data.Dataset that are not here: each says so, and what there is instead."""


def _refusal(name: str, instead: str):
    def refuse(*_, **__):
        raise NotImplementedError(f"Plimsoll has no tf.data.Dataset.{name}; {instead}")

    refuse.__name__ = name
    return refuse


class Refused:
    """The base of Dataset with methods that raise NotImplementedError."""

    save = _refusal("save", "np.savez keeps arrays, and cache(filename) keeps elements in a file")
    load = staticmethod(
        _refusal("load", "np.load reads arrays, and cache(filename) reads elements that it kept")
    )
    ragged_batch = _refusal(
        "ragged_batch", "padded_batch() puts rows of different lengths into one tensor"
    )
    sparse_batch = _refusal("sparse_batch", "use dense tensors and padded_batch()")
    fingerprint = _refusal("fingerprint", "a data set has no name that stays from run to run")
    rejection_resample = _refusal(
        "rejection_resample",
        "sample_from_datasets() of one filtered data set per class balances classes",
    )

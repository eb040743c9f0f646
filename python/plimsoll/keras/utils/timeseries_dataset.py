"""Windows of time series as a tf.data.Dataset."""

import numpy as np


def timeseries_dataset_from_array(
    data,
    targets,
    sequence_length,
    sequence_stride=1,
    sampling_rate=1,
    batch_size=128,
    shuffle=False,
    seed=None,
    start_index=None,
    end_index=None,
    format="tf",
):
    """Batches of windows of `sequence_length` steps, and of the target that each window has.

    targets[i] belongs to the window that begins at step i; None gives windows alone. sampling_rate
    is the number of steps between two of a window, sequence_stride that between two windows.
    Windows are views of the data: they take no memory of their own.
    """
    _check(len(data), start_index, end_index, sampling_rate, sequence_stride)
    if format != "tf":
        raise ValueError(f'`format` should be "tf"; Plimsoll has no other. Received: {format}')
    from plimsoll.tensorflow.data import Dataset

    start, end = start_index or 0, len(data) if end_index is None else end_index
    data = np.asarray(data)[start:end]
    count = len(data) - (sequence_length - 1) * sampling_rate
    if targets is not None:
        targets = np.asarray(targets)[start:end]
        count = min(count, len(targets))
    if count <= 0:
        raise ValueError(
            f"there is no window: {sequence_length} steps at sampling_rate={sampling_rate} do not "
            f"fit into {len(data)} steps of data with {count} windows"
        )
    windows = _windows(data, sequence_length, sampling_rate)[:count:sequence_stride]
    if targets is None:
        dataset = Dataset.from_tensor_slices(windows)
    else:
        dataset = Dataset.from_tensor_slices((windows, targets[:count:sequence_stride]))
    if shuffle:
        dataset = dataset.shuffle(len(windows), seed=seed)
    if batch_size is not None:
        dataset = dataset.batch(batch_size)
    return dataset.prefetch(-1)


def _windows(data, length, rate):
    """A view of shape (windows, length, …)."""
    view = np.lib.stride_tricks.sliding_window_view(data, (length - 1) * rate + 1, axis=0)
    return np.moveaxis(view, -1, 1)[:, ::rate]


def _check(length, start_index, end_index, sampling_rate, sequence_stride) -> None:
    if start_index and not 0 <= start_index < length:
        raise ValueError(
            f"`start_index` must be 0 or greater, and lower than the length of the data. Received: "
            f"start_index={start_index}, for data of length {length}"
        )
    if end_index is not None and not (start_index or 0) < end_index < length:
        raise ValueError(
            "`end_index` must be higher than `start_index` and lower than the length of the data. "
            f"Received: start_index={start_index}, and end_index={end_index}, for data of length "
            f"{length}"
        )
    for name, value in (("sampling_rate", sampling_rate), ("sequence_stride", sequence_stride)):
        if not 0 < value < length:
            raise ValueError(
                f"`{name}` must be higher than 0 and lower than the length of the data. Received: "
                f"{name}={value}, for data of length {length}"
            )

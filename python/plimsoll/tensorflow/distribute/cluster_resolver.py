"""tf.distribute.cluster_resolver: there is no cluster."""
from plimsoll import _missing


class TPUClusterResolver:
    """Refused with the error for which scripts look before they go on without a TPU."""

    def __init__(self, tpu=None, *args, **kwargs):
        raise ValueError("TPUClusterResolver: there is no TPU; Plimsoll computes on the processor")

    @classmethod
    def connect(cls, *args, **kwargs):
        return cls()


class SimpleClusterResolver:
    """Accepted."""

    def __init__(self, cluster_spec=None, *args, **kwargs):
        self._spec = cluster_spec

    def cluster_spec(self):
        return self._spec


class TFConfigClusterResolver(SimpleClusterResolver):
    """Accepted."""


_missing.told(globals())

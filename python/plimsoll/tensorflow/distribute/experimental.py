"""tf.distribute.experimental: older names of strategies."""
from plimsoll import _missing
from plimsoll.tensorflow.distribute._strategy import (  # noqa: F401
    CentralStorageStrategy, MultiWorkerMirroredStrategy, ParameterServerStrategy, TPUStrategy,
    _Accepted)


class CommunicationOptions(_Accepted):
    """Accepted."""


class CommunicationImplementation:
    """Ways to talk to other machines, of which there are none."""

    AUTO, RING, NCCL = "AUTO", "RING", "NCCL"


CollectiveCommunication = CommunicationImplementation
CollectiveHints = CommunicationOptions

_missing.told(globals())

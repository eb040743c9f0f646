"""Strategies of one replica."""
import contextlib
import enum

from plimsoll import _convert, _core


class ReduceOp(enum.Enum):
    SUM = "SUM"
    MEAN = "MEAN"


class _Accepted:
    """Options that are accepted and change nothing."""

    def __init__(self, *args, **kwargs):
        self.__dict__.update(kwargs)


class CrossDeviceOps(_Accepted):
    pass


class NcclAllReduce(CrossDeviceOps):
    pass


class HierarchicalCopyAllReduce(CrossDeviceOps):
    pass


class ReductionToOneDevice(CrossDeviceOps):
    pass


class InputOptions(_Accepted):
    pass


class RunOptions(_Accepted):
    pass


class InputContext:
    """Which part of the data this process reads: all of it."""

    def __init__(self, num_input_pipelines=1, input_pipeline_id=0, num_replicas_in_sync=1):
        self.num_input_pipelines = num_input_pipelines
        self.input_pipeline_id = input_pipeline_id
        self.num_replicas_in_sync = num_replicas_in_sync

    def get_per_replica_batch_size(self, global_batch_size) -> int:
        return int(global_batch_size)


class ReplicaContext:
    """What a replica knows of itself."""

    replica_id_in_sync_group = 0
    num_replicas_in_sync = 1

    def all_reduce(self, reduce_op, value, options=None):
        return value

    def merge_call(self, merge_fn, args=(), kwargs=None):
        return merge_fn(get_strategy(), *args, **(kwargs or {}))

    @property
    def strategy(self):
        return get_strategy()


class _Extended:
    """Parts of a strategy that scripts read."""

    worker_devices = ("/device:CPU:0",)
    parameter_devices = ("/device:CPU:0",)

    @contextlib.contextmanager
    def colocate_vars_with(self, variable):
        yield

    def reduce_to(self, reduce_op, value, destinations, options=None):
        return value

    def update(self, var, fn, args=(), kwargs=None, group=True):
        return fn(var, *args, **(kwargs or {}))


_open: list = []


class Strategy:
    """A strategy of one replica: the step is run once, on all of the cores."""

    num_replicas_in_sync = 1

    def __init__(self, *args, **kwargs):
        self.extended = _Extended()

    @contextlib.contextmanager
    def scope(self):
        """Variables that are made inside belong to the strategy; they are ordinary ones."""
        _open.append(self)
        try:
            yield self
        finally:
            _open.pop()

    def run(self, fn, args=(), kwargs=None, options=None):
        """Calls the function once."""
        return fn(*args, **(kwargs or {}))

    experimental_run_v2 = run

    def reduce(self, reduce_op, value, axis):
        """The value of the replica, along an axis its sum or its mean."""
        if axis is None:
            return value
        mean = str(getattr(reduce_op, "value", reduce_op)).upper() == "MEAN"
        reduce = _core.mean if mean else _core.sum
        return _convert.map_structure(lambda each: reduce(each, axis), value)

    def gather(self, value, axis):
        return value

    def experimental_distribute_dataset(self, dataset, options=None):
        return dataset

    def distribute_datasets_from_function(self, dataset_fn, options=None):
        return dataset_fn(InputContext())

    experimental_distribute_datasets_from_function = distribute_datasets_from_function

    def experimental_distribute_values_from_function(self, value_fn):
        return value_fn(ReplicaContext())

    def experimental_local_results(self, value) -> tuple:
        return (value,)

    def make_dataset_iterator(self, dataset):
        return iter(dataset)

    @property
    def cluster_resolver(self):
        return None


class MirroredStrategy(Strategy):
    """One replica, however many devices are named."""

    def __init__(self, devices=None, cross_device_ops=None):
        super().__init__()


class OneDeviceStrategy(Strategy):
    """One replica on the processor."""

    def __init__(self, device="/cpu:0"):
        super().__init__()


class CentralStorageStrategy(Strategy):
    """One replica."""


class MultiWorkerMirroredStrategy(Strategy):
    """One replica; several machines are refused."""

    def __init__(self, cluster_resolver=None, communication_options=None):
        import json
        import os

        workers = json.loads(os.environ.get("TF_CONFIG") or "{}").get("cluster", {}).get("worker", [])
        if len(workers) > 1:
            raise NotImplementedError("MultiWorkerMirroredStrategy: TF_CONFIG names several workers; "
                                      "Plimsoll trains on one machine and uses all of its cores")
        super().__init__()


def _refused(name: str):
    class Refused(Strategy):
        """Refused."""

        def __init__(self, *args, **kwargs):
            raise NotImplementedError(f"tf.distribute.{name}: Plimsoll computes on the processor of one "
                                      "machine; leave the strategy out")
    Refused.__name__ = name
    return Refused


TPUStrategy, ParameterServerStrategy = _refused("TPUStrategy"), _refused("ParameterServerStrategy")


class DistributedDataset:
    """The type of data sets of several replicas; there are none."""


_default = Strategy()


def get_strategy() -> Strategy:
    """The strategy whose scope is open, or the default one."""
    return _open[-1] if _open else _default


def has_strategy() -> bool:
    return bool(_open)


def experimental_set_strategy(strategy) -> None:
    _open[:] = [] if strategy is None else [strategy]


def get_replica_context() -> ReplicaContext:
    return ReplicaContext()


def in_cross_replica_context() -> bool:
    return bool(_open)

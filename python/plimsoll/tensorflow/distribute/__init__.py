"""tf.distribute: strategies of one replica, which is this process with all cores."""
from plimsoll import _missing

_missing.lazy(globals(), {
    "_strategy": [
        "CentralStorageStrategy", "CrossDeviceOps", "DistributedDataset", "HierarchicalCopyAllReduce",
        "InputContext", "InputOptions", "MirroredStrategy", "MultiWorkerMirroredStrategy",
        "NcclAllReduce", "OneDeviceStrategy", "ReduceOp", "ReductionToOneDevice", "ReplicaContext",
        "RunOptions", "Strategy", "TPUStrategy", "ParameterServerStrategy",
        "experimental_set_strategy", "get_replica_context", "get_strategy", "has_strategy",
        "in_cross_replica_context"],
}, modules=("cluster_resolver", "experimental"))

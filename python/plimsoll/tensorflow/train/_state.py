"""Parts of tf.train that hold or share state."""
from plimsoll import _core


class ExponentialMovingAverage:
    """Averages of variables in which older values count less."""

    def __init__(self, decay, num_updates=None, zero_debias=False, name="ExponentialMovingAverage"):
        self._decay, self._averages = float(decay), {}

    def apply(self, var_list) -> None:
        for variable in var_list:
            if variable.ref() not in self._averages:
                self._averages[variable.ref()] = _core.Variable(variable.read_value(), name="average",
                                                                trainable=False)
            else:
                average = self._averages[variable.ref()]
                average.assign_sub((average - variable) * (1.0 - self._decay))

    def average(self, var):
        return self._averages.get(var.ref())


def _refused(name: str):
    class Refused:
        """Refused: there is one process on one machine."""

        def __init__(self, *args, **kwargs):
            raise NotImplementedError(f"tf.train.{name}: Plimsoll trains on one machine and uses all "
                                      "of its cores")
    Refused.__name__ = name
    return Refused


ClusterSpec, Coordinator = _refused("ClusterSpec"), _refused("Coordinator")

"""Names and packages that are not there: a test fails where it uses them, not where it imports them."""
import importlib.machinery
import importlib.util
import sys
import types

_NAMES = ("grain", "h5py", "jax", "torch", "ml_dtypes", "openvino", "scipy", "PIL", "pandas", "flax", "cv2",
          "tensorflow_text", "requests")


class NotInstalled(ImportError):
    """A test used a package that is not there."""


class _AbsentName(type):
    """A class, for a test may derive from it; whatever else is done with it fails."""

    def __getattr__(cls, attribute: str):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise AttributeError(cls.reason)

    def __call__(cls, *args, **kwargs):
        raise AttributeError(cls.reason)


def absent_name(reason: str) -> type:
    """Stands for a name that plimsoll.keras does not have."""
    return _AbsentName("Absent", (), {"reason": reason})


class _Absent(types.ModuleType):
    def __getattr__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(name)
        if name[0].isupper():  # a class that a file imports at its top
            return absent_name(f"this test needs the package {self.__name__}")
        raise NotInstalled(f"this test needs the package {self.__name__}")


class _Finder:
    def find_spec(self, fullname, path=None, target=None):
        top, _, inner = fullname.partition(".")
        if top not in _NAMES or (inner and not isinstance(sys.modules[top], _Absent)):
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec):
        return _Absent(spec.name)

    def exec_module(self, module):
        module.__path__ = []


class SparseTensor:
    """Tests of sparse tensors make them where they are defined, and fail where they use them."""

    def __init__(self, indices, values=None, dense_shape=None):
        self.indices = indices


class IndexedSlices(SparseTensor):
    """The same for tensors with few rows."""


def install() -> None:
    """Packages that are installed are found before."""
    import plimsoll.tensorflow

    sys.meta_path.append(_Finder())
    plimsoll.tensorflow.SparseTensor = SparseTensor
    plimsoll.tensorflow.IndexedSlices = IndexedSlices

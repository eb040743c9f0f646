"""Small data sets, read from the cache folder of Keras or from Debian's packages."""

from plimsoll._missing import lazy

lazy(
    globals(),
    {},
    modules=[
        "boston_housing",
        "california_housing",
        "cifar10",
        "cifar100",
        "fashion_mnist",
        "imdb",
        "mnist",
        "reuters",
    ],
)

"""Optimizers on given gradients: weights after each step, slots at the end."""

import keras

from golden_file import Case, generator, normal

STEPS = 5
SHAPES = {"kernel": (3, 4), "bias": (4,)}

SETTINGS = {
    "SGD": {
        "default": {},
        "learning_rate": {"learning_rate": 0.1},
        "momentum": {"learning_rate": 0.1, "momentum": 0.9},
        "nesterov": {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True},
        "weight_decay": {"learning_rate": 0.1, "weight_decay": 0.04},
        "momentum_weight_decay": {"learning_rate": 0.1, "momentum": 0.8, "weight_decay": 0.04},
        "clipnorm": {"learning_rate": 0.1, "clipnorm": 1.0},
        "clipvalue": {"learning_rate": 0.1, "clipvalue": 0.5},
        "global_clipnorm": {"learning_rate": 0.1, "global_clipnorm": 1.5},
        "momentum_clipnorm": {"learning_rate": 0.1, "momentum": 0.9, "clipnorm": 1.0},
    },
    "RMSprop": {
        "default": {},
        "momentum": {"learning_rate": 0.01, "momentum": 0.9},
        "centered": {"learning_rate": 0.01, "centered": True},
        "centered_momentum": {"learning_rate": 0.01, "centered": True, "momentum": 0.5, "rho": 0.8, "epsilon": 1e-4},
        "weight_decay": {"learning_rate": 0.01, "weight_decay": 0.04},
        "clipnorm": {"learning_rate": 0.01, "clipnorm": 1.0},
    },
    "Adam": {
        "default": {},
        "amsgrad": {"learning_rate": 0.01, "amsgrad": True},
        "settings": {"learning_rate": 0.01, "beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-3},
        "weight_decay": {"learning_rate": 0.01, "weight_decay": 0.04},
        "clipnorm": {"learning_rate": 0.01, "clipnorm": 1.0},
        "clipvalue": {"learning_rate": 0.01, "clipvalue": 0.5},
        "global_clipnorm": {"learning_rate": 0.01, "global_clipnorm": 1.5},
    },
    "AdamW": {
        "default": {},
        "weight_decay": {"learning_rate": 0.01, "weight_decay": 0.1},
        "amsgrad": {"learning_rate": 0.01, "amsgrad": True},
        "clipnorm": {"learning_rate": 0.01, "clipnorm": 1.0},
        "global_clipnorm": {"learning_rate": 0.01, "global_clipnorm": 1.5},
    },
}


def optimizer_case(optimizer_name, setting, options):
    name = f"{optimizer_name.lower()}_{setting}"
    rng = generator(name)
    optimizer = getattr(keras.optimizers, optimizer_name)(**options, name=optimizer_name.lower())
    variables = [keras.Variable(normal(rng, *shape), name=key) for key, shape in SHAPES.items()]

    case = Case(name, {"optimizer": optimizer_name, **options, "steps": STEPS})
    case.meta |= defaults(optimizer, options)
    case.add_all({f"w0.{v.name}": v.numpy() for v in variables})
    for step in range(1, STEPS + 1):
        gradients = [normal(rng, *v.shape) for v in variables]
        optimizer.apply(gradients, variables)
        case.add_all({f"g{step}.{v.name}": g for v, g in zip(variables, gradients)})
        case.add_all({f"w{step}.{v.name}": v.numpy() for v in variables})

    slots = optimizer.variables
    case.meta["variables"] = [v.path for v in slots]
    case.add_all({f"slot.{v.path}": v.numpy() for v in slots})
    return case


def defaults(optimizer, options):
    """What Keras fills in, so that the defaults are part of the golden."""
    config = optimizer.get_config()
    return {f"default.{key}": rounded(value) for key, value in config.items() if key not in options and key != "name"}


def rounded(value):
    """learning_rate comes back as the float32 nearest to what was given."""
    return float(f"{value:.7g}") if isinstance(value, float) else value


def cases():
    for optimizer_name, settings in SETTINGS.items():
        for setting, options in settings.items():
            yield optimizer_case(optimizer_name, setting, options)

"""Optimizers made from their configs, with every option: weights after some steps, all state at the end."""

import json

import keras

from golden_file import Case, generator, normal

STEPS = 6
SHOWN = (1, 2, 3, 6)
SHAPES = {"kernel": (2, 3), "bias": (2,)}
SCHEDULES = keras.optimizers.schedules

# What an optimizer has of its own.
OWN = {
    "SGD": {"plain": {}, "nesterov": {"momentum": 0.9, "nesterov": True}},
    "RMSprop": {"plain": {}, "centered": {"momentum": 0.5, "centered": True, "rho": 0.8, "epsilon": 1e-4}},
    "Adam": {"plain": {}, "amsgrad": {"amsgrad": True, "beta_1": 0.8}},
    "AdamW": {"plain": {}, "decay": {"weight_decay": 0.1}},
    "Adagrad": {"plain": {}, "own": {"initial_accumulator_value": 0.5, "epsilon": 1e-3}},
    "Adadelta": {"plain": {}, "own": {"learning_rate": 0.5, "rho": 0.8, "epsilon": 1e-4}},
    "Nadam": {"plain": {}, "own": {"beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-4}},
    "Adamax": {"plain": {}, "own": {"beta_1": 0.8, "beta_2": 0.99, "epsilon": 1e-4}},
    "Lion": {"plain": {}, "own": {"beta_1": 0.8, "beta_2": 0.9}},
    "Ftrl": {
        "plain": {},
        "own": {
            "learning_rate_power": -0.7,
            "initial_accumulator_value": 0.3,
            "l1_regularization_strength": 0.01,
            "l2_regularization_strength": 0.02,
            "l2_shrinkage_regularization_strength": 0.03,
            "beta": 0.04,
        },
    },
    "Adafactor": {
        "plain": {},
        "own": {"beta_2_decay": -0.6, "epsilon_1": 1e-6, "epsilon_2": 0.01, "clip_threshold": 0.5, "relative_step": False},
    },
    "Muon": {
        "plain": {},
        "own": {
            "adam_beta_1": 0.8,
            "adam_beta_2": 0.99,
            "adam_weight_decay": 0.02,
            "weight_decay": 0.03,
            "epsilon": 1e-4,
            "muon_a": 3.0,
            "muon_b": -4.0,
            "muon_c": 1.8,
            "adam_lr_ratio": 0.5,
            "momentum": 0.8,
            "ns_steps": 3,
            "nesterov": False,
            "rms_rate": 0.4,
        },
        "without_decay_and_size": {"weight_decay": None, "adam_weight_decay": None, "rms_rate": None},
        "excluded_layers": {"exclude_layers": ["nothing", "^ker"], "exclude_embeddings": False},
    },
}

# What all have; the learning rate makes moves large enough to be compared.
COMMON = {
    "weight_decay": {"weight_decay": 0.04},
    "clipnorm": {"clipnorm": 1.0},
    "clipvalue": {"clipvalue": 0.5},
    "global_clipnorm": {"global_clipnorm": 1.5},
    "ema": {"use_ema": True, "ema_momentum": 0.7},
    "ema_overwrite": {"use_ema": True, "ema_momentum": 0.7, "ema_overwrite_frequency": 2},
    "accumulation": {"gradient_accumulation_steps": 2},
    "accumulation_of_all": {
        "gradient_accumulation_steps": 3,
        "weight_decay": 0.04,
        "clipnorm": 0.5,
        "use_ema": True,
        "ema_momentum": 0.7,
        "ema_overwrite_frequency": 2,
    },
    "accumulation_global_clipnorm": {"gradient_accumulation_steps": 2, "global_clipnorm": 0.5},
    "loss_scale": {"loss_scale_factor": 4.0, "clipnorm": 0.2},
    "schedule": {"learning_rate": SCHEDULES.ExponentialDecay(0.1, 2, 0.5), "weight_decay": 0.04},
    "schedule_accumulation": {
        "learning_rate": SCHEDULES.PiecewiseConstantDecay([1, 3], [0.1, 0.05, 0.01]),
        "gradient_accumulation_steps": 2,
        "loss_scale_factor": 2.0,
    },
}
# For the others one case with the most is enough.
IN_FULL = ("SGD", "Adam")
FOR_ALL = ("weight_decay", "accumulation_of_all", "schedule_accumulation")


def optimizer_case(optimizer_name, setting, options, excluded=None, shapes=SHAPES):
    name = f"{optimizer_name.lower()}_{setting}"
    rng = generator(name)
    optimizer = getattr(keras.optimizers, optimizer_name)(**options, name=optimizer_name.lower())
    variables = [keras.Variable(normal(rng, *shape), name=key) for key, shape in shapes.items()]
    case = Case(name, {"config": json.dumps(keras.saving.serialize_keras_object(optimizer)), "steps": STEPS})
    if excluded:
        optimizer.exclude_from_weight_decay(var_names=[excluded])
        case.meta["excluded"] = excluded

    case.add_all({f"w0.{v.name}": v.numpy() for v in variables})
    for step in range(1, STEPS + 1):
        gradients = [normal(rng, *v.shape) for v in variables]
        optimizer.apply(gradients, variables)
        case.add_all({f"g{step}.{v.name}": g for v, g in zip(variables, gradients)})
        if step in SHOWN:
            case.add_all({f"w{step}.{v.name}": v.numpy() for v in variables})
    case.add_all({f"state.{i}": v.numpy() for i, v in enumerate(optimizer.variables)})
    optimizer.finalize_variable_values(variables)
    case.add_all({f"final.{v.name}": v.numpy() for v in variables})
    return case


def cases():
    for optimizer_name, settings in OWN.items():
        for setting, options in settings.items():
            yield optimizer_case(optimizer_name, setting, {"learning_rate": 0.05, **options})
        for setting in COMMON if optimizer_name in IN_FULL else FOR_ALL:
            yield optimizer_case(optimizer_name, setting, {"learning_rate": 0.05, **COMMON[setting]})
    options = {"learning_rate": 0.05, "weight_decay": 0.3}
    yield optimizer_case("Adam", "excluded_bias", options, excluded="bias")
    # Muon works on the shorter side of a matrix.
    yield optimizer_case("Muon", "tall", {"learning_rate": 0.05}, shapes={"kernel": (5, 3), "bias": (2,)})

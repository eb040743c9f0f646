"""Finds the TensorFlow and Keras names that a script uses, in the spelling of names.txt."""

import ast
import re

# Names that need what only TensorFlow has: its own file formats.
TENSORFLOW_ONLY = {
    "tf.lite.Interpreter", "tf.lite.TFLiteConverter", "tf.lite.Optimize",
    "tf.saved_model.save", "tf.saved_model.load",
}

# Other spellings of one thing.
SPELLINGS = [
    (r"^tf\.keras\.", "keras."),
    (r"^tensorflow\.keras\.", "keras."),
    (r"^tensorflow\.", "tf."),
    (r"\.experimental\.", "."),
    (r"^tf\.(losses|metrics|optimizers|initializers)\.", r"keras.\1."),
    (r"^keras\.models\.(Sequential|Model)$", r"keras.\1"),
    (r"^keras\.layers\.Input$", "keras.Input"),
    (r"^keras\.Layer$", "keras.layers.Layer"),
    (r"^keras\.preprocessing\.sequence\.pad_sequences$", "keras.utils.pad_sequences"),
    (r"^keras\.preprocessing\.image\.(load_img|img_to_array|array_to_img)$", r"keras.utils.\1"),
    (r"^keras\.utils\.(Sequence|PyDataset)$", "keras.utils.Sequence/PyDataset"),
    (r"^keras\.applications\.(\w+\.)?[A-Z]\w+$", "keras.applications.<Net>"),
    (r"^keras\.applications\.\w+\.(preprocess_input|decode_predictions)$",
     r"keras.applications.*.\1"),
    (r"^tf\.config\.set_\w+$", "tf.config.set_*"),
    (r"^tf\.math\.(reduce_\w+|argmax|exp|sqrt|sin|abs|add_n|pow|minimum|maximum|multiply)$",
     r"tf.\1"),
    (r"^tf\.nn\.sigmoid$", "tf.sigmoid"),
]


def used_names(source):
    """The set of names that the source text of a script uses."""
    tree = ast.parse(source)
    bindings = imported(tree)
    names = set(bindings.values())
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], dotted(node.value, bindings)
            if isinstance(target, ast.Name) and value:
                bindings[target.id] = value
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)):
            name = dotted(node, bindings)
            if name:
                names.add(name)
    return {spelling for name in names for spelling in spellings(name)}


def imported(tree):
    """What each imported name stands for: {'Dense': 'tensorflow.keras.layers.Dense', …}."""
    bindings = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] in ("tensorflow", "keras"):
                    bindings[alias.asname or alias.name.split(".")[0]] = (
                        alias.name if alias.asname else alias.name.split(".")[0])
        elif isinstance(node, ast.ImportFrom) and node.module:
            if node.module.split(".")[0] in ("tensorflow", "keras"):
                for alias in node.names:
                    bindings[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return bindings


def dotted(node, bindings):
    """'keras.layers.Dense' for the expression layers.Dense; None for anything else."""
    if isinstance(node, ast.Name):
        return bindings.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value, bindings)
        return f"{owner}.{node.attr}" if owner else None
    return None


def spellings(name):
    """The name as written and as the table spells it."""
    result = {name}
    for pattern, replacement in SPELLINGS:
        name = re.sub(pattern, replacement, name)
        result.add(name)
    return result

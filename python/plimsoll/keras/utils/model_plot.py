"""Pictures of models."""

import html
import os
import sys

from plimsoll.keras.utils.messages import print_message


def plot_model(
    model,
    to_file="model.png",
    show_shapes=False,
    show_dtype=False,
    show_layer_names=False,
    rankdir="TB",
    expand_nested=False,
    dpi=200,
    show_layer_activations=False,
    show_trainable=False,
    splines="ortho",
    **kwargs,
):
    """Draws a model into a file; its name's ending says of which kind.

    A file that ends in .dot or .gv is written without Graphviz; others need the program `dot`.
    """
    extension = os.path.splitext(str(to_file))[1][1:] or "png"
    if extension not in ("dot", "gv", "raw"):
        sentence = _what_is_missing()
        if sentence is not None:
            if "IPython.core.magics.namespace" in sys.modules:
                # A notebook that only shows a picture goes on, as with Keras.
                print_message(sentence)
                return None
            raise ImportError(sentence)
    dot = model_to_dot(
        model, show_shapes, show_dtype, show_layer_names, rankdir, expand_nested, dpi, False,
        show_layer_activations, show_trainable, splines, **kwargs,
    )
    text = isinstance(dot, str)
    if extension in ("dot", "gv", "raw"):
        with open(to_file, "w", encoding="utf-8") as file:
            file.write(dot if text else dot.to_string())
        return None
    dot.write(str(to_file), format=extension)
    return _shown(to_file, extension)


def _what_is_missing() -> str | None:
    pydot = _pydot()
    if pydot is None:
        return (
            "plot_model needs pydot (pip install pydot) and Graphviz (on Debian: apt install "
            "graphviz); model.summary() needs neither"
        )
    try:
        pydot.Dot.create(pydot.Dot())
    except Exception:  # pydot has no common base class for what goes wrong here.
        return (
            "plot_model needs Graphviz, the program `dot` (on Debian: apt install graphviz); "
            "model.summary() does not"
        )
    return None


def _pydot():
    try:
        import pydot
    except ImportError:
        return None
    return pydot


def _shown(to_file, extension):
    """The picture for the notebook's output, if this is a notebook."""
    if extension == "pdf" or "IPython" not in sys.modules:
        return None
    from IPython import display

    return display.Image(filename=str(to_file))


def model_to_dot(
    model,
    show_shapes=False,
    show_dtype=False,
    show_layer_names=True,
    rankdir="TB",
    expand_nested=False,
    dpi=200,
    subgraph=False,
    show_layer_activations=False,
    show_trainable=False,
    splines="ortho",
    **kwargs,
):
    """A model as a pydot graph, or without pydot as text in Graphviz's language."""
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments: {kwargs}")
    if not getattr(model, "built", True) and not _has_graph(model):
        raise ValueError(
            "This model has not yet been built. Build the model first by calling `build()` or by "
            "calling the model on a batch of data."
        )
    show = {
        "names": show_layer_names,
        "shapes": show_shapes,
        "dtype": show_dtype,
        "activations": show_layer_activations,
        "trainable": show_trainable,
    }
    drawing = _Drawing(show, expand_nested)
    drawing.add_model(model)
    text = drawing.text(rankdir, dpi, splines)
    pydot = _pydot()
    return text if pydot is None else pydot.graph_from_dot_data(text)[0]


class _Drawing:
    """Nodes and edges of a model, collected as lines of Graphviz's language."""

    def __init__(self, show, expand_nested):
        self.show = show
        self.expand_nested = expand_nested
        self.lines = []
        self.edges = []

    def add_model(self, model):
        """Draws the layers of a model; a model without a graph is one box."""
        config = model.get_config() if _has_graph(model) else {}
        layers = list(model.layers) if _has_graph(model) else [model]
        for layer in layers:
            if self.expand_nested and _has_graph(layer):
                self.lines.append(f'subgraph "cluster_{id(layer)}" {{ style=dashed; '
                                  f'label="{_escaped(layer.name)}"; labeljust=l;')
                self.add_model(layer)
                self.lines.append("}")
            else:
                label = _label(layer, self.show)
                self.lines.append(f'"{id(layer)}" [label=<{label}>, margin=0, fontname=Helvetica];')
        self._add_edges(layers, config)

    def _add_edges(self, layers, config):
        by_name = {layer.name: layer for layer in layers}
        listed = config.get("layers", [])
        functional = any("inbound_nodes" in entry for entry in listed)
        if not functional:
            pairs = list(zip(layers, layers[1:]))
        else:
            pairs = [
                (by_name[source], by_name[entry["name"]])
                for entry in listed
                if entry.get("name") in by_name
                for source in _sources(entry["inbound_nodes"])
                if source in by_name
            ]
        for source, target in pairs:
            edge = f'"{self._last(source)}" -> "{self._first(target)}" [penwidth=2];'
            if edge not in self.edges:
                self.edges.append(edge)

    def _first(self, layer):
        opened = self.expand_nested and _has_graph(layer)
        return self._first(layer.layers[0]) if opened else id(layer)

    def _last(self, layer):
        opened = self.expand_nested and _has_graph(layer)
        return self._last(layer.layers[-1]) if opened else id(layer)

    def text(self, rankdir, dpi, splines) -> str:
        head = f"graph [rankdir={rankdir}, concentrate=true, dpi={dpi}, splines={splines}];"
        body = "\n".join([head, "node [shape=record];", *self.lines, *self.edges])
        return f"digraph G {{\n{body}\n}}\n"


def _has_graph(layer) -> bool:
    """True for a model whose layers and their order are known."""
    kinds = {kind.__name__ for kind in type(layer).__mro__}
    known = bool(kinds & {"Sequential", "Functional"}) or bool(getattr(layer, "inputs", None))
    return known and bool(getattr(layer, "layers", None))


def _sources(inbound_nodes) -> list[str]:
    """Names of the layers whose outputs a layer reads, from its entry in a model's config."""
    if isinstance(inbound_nodes, dict):
        history = inbound_nodes.get("config", {}).get("keras_history")
        if inbound_nodes.get("class_name") == "__keras_tensor__" and history:
            return [history[0]]
        inbound_nodes = list(inbound_nodes.values())
    if not isinstance(inbound_nodes, (list, tuple)):
        return []
    return [name for value in inbound_nodes for name in _sources(value)]


def _label(layer, show) -> str:
    """The box of a layer, as an HTML table."""
    kind = type(layer).__name__
    title = f"<b>{_escaped(layer.name)}</b> ({kind})" if show["names"] else f"<b>{kind}</b>"
    cells = _cells(layer, show)
    span = max(1, len(cells))
    rows = f'<tr><td colspan="{span}" bgcolor="black"><font point-size="16" color="white">'
    rows += f"{title}</font></td></tr>"
    activation = getattr(layer, "activation", None)
    if show["activations"] and activation is not None:
        name = getattr(activation, "__name__", None) or getattr(activation, "name", activation)
        rows += f'<tr><td colspan="{span}" bgcolor="white">Activation: <b>{name}</b></td></tr>'
    if cells:
        rows += "<tr>" + "".join(cells) + "</tr>"
    return f'<table border="0" cellborder="1" bgcolor="black" cellpadding="10">{rows}</table>'


def _cells(layer, show) -> list[str]:
    cells = []
    if show["shapes"]:
        if type(layer).__name__ != "InputLayer":
            cells.append(_cell(f"Input shape: <b>{_of(layer, 'input', 'shape')}</b>"))
        cells.append(_cell(f"Output shape: <b>{_of(layer, 'output', 'shape')}</b>"))
    if show["dtype"]:
        cells.append(_cell(f"Output dtype: <b>{_of(layer, 'output', 'dtype')}</b>"))
    if show["trainable"] and getattr(layer, "weights", None):
        text, colour = "Trainable", "forestgreen"
        if not layer.trainable:
            text, colour = "Non-trainable", "firebrick"
        cells.append(_cell(f'<font color="white"><b>{text}</b></font>', colour))
    return cells


def _cell(text, colour="white") -> str:
    return f'<td bgcolor="{colour}"><font point-size="14">{text}</font></td>'


def _of(layer, side, what) -> str:
    """The shape or type of a layer's inputs or outputs; '?' if the layer has not been called."""
    try:
        value = getattr(layer, side)
    except (AttributeError, ValueError):
        return "?"
    if isinstance(value, (list, tuple)):
        text = ", ".join(str(getattr(tensor, what)) for tensor in value)
    else:
        text = str(getattr(value, what, "?"))
    return _escaped(text)


def _escaped(text) -> str:
    return html.escape(str(text)).replace("{", "").replace("}", "")

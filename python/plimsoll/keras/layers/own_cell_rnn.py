"""RNN with a cell of the user's own, which the engine does not know: one call per step of the sequence."""
from plimsoll import _core
from plimsoll.keras.layers.layer import Layer


class OwnCellRNN(Layer):
    """Runs a cell with call(inputs, states) -> (output, states) and a state_size over a sequence."""

    def __init__(self, cell, return_sequences=False, return_state=False, go_backwards=False,
                 stateful=False, unroll=False, zero_output_for_mask=False, **kwargs):
        super().__init__(**kwargs)
        if stateful:
            raise NotImplementedError(f"{self.name}: an RNN with a cell of your own keeps no states between "
                                      "calls; pass initial_state")
        self.cell = cell
        self.return_sequences, self.return_state = return_sequences, return_state
        self.go_backwards, self.zero_output_for_mask = go_backwards, zero_output_for_mask

    def _first_states(self, inputs) -> list:
        if hasattr(self.cell, "get_initial_state"):
            found = self.cell.get_initial_state(batch_size=inputs.shape[0])
            return list(found) if isinstance(found, (list, tuple)) else [found]
        sizes = self.cell.state_size
        sizes = list(sizes) if isinstance(sizes, (list, tuple)) else [sizes]
        return [_core.broadcast_to(_core.constant(0.0), (inputs.shape[0], size)) for size in sizes]

    def call(self, sequences, initial_state=None, mask=None, training=None):
        states = self._first_states(sequences) if initial_state is None else list(initial_state)
        output, outputs = None, []
        steps = range(sequences.shape[1])
        for step in reversed(steps) if self.go_backwards else steps:
            new, following = self.cell(sequences[:, step], states)
            following = list(following) if isinstance(following, (list, tuple)) else [following]
            if mask is not None:
                new, following = self._where(mask[:, step], new, output, following, states)
            output, states = new, following
            outputs.append(output)
        found = _core.operation("Stack", {"axis": 1}, [outputs]) if self.return_sequences else output
        return [found, *states] if self.return_state else found

    def _where(self, mask, new, old, following: list, states: list) -> tuple:
        """What the step gives where the mask says that it counts, and what was before elsewhere."""
        mask = _core.expand_dims(mask, -1)
        old = new * 0.0 if old is None or self.zero_output_for_mask else old
        return _core.select(mask, new, old), [
            _core.select(mask, after, before) for after, before in zip(following, states)]

    def get_config(self) -> dict:
        from plimsoll.keras import _serialization

        return {**super().get_config(), "cell": _serialization.serialize_object(self.cell),
                "return_sequences": self.return_sequences, "return_state": self.return_state,
                "go_backwards": self.go_backwards,
                "zero_output_for_mask": self.zero_output_for_mask}

"""The TensorFlow and Keras names that a script uses, found in its syntax tree."""

import ast
from typing import Callable, NamedTuple

# Packages that import TensorFlow itself, which Plimsoll cannot replace for them.
NEED_TENSORFLOW = frozenset(
    "keras_core keras_cv keras_hub keras_nlp keras_tuner tensorflow_addons tensorflow_datasets "
    "tensorflow_decision_forests tensorflow_federated tensorflow_hub tensorflow_io "
    "tensorflow_model_optimization tensorflow_probability tensorflow_recommenders "
    "tensorflow_text tensorflowjs tf_keras tf_slim tflite_runtime".split()
)
_CATCHES_IMPORTS = {"ImportError", "ModuleNotFoundError", "AttributeError", "Exception"}
# Methods of tf.data.Dataset that give a Dataset again.
_DATASET_METHODS = frozenset(
    "apply batch bucket_by_sequence_length cache choose_from_datasets concatenate enumerate "
    "filter flat_map from_generator from_tensor_slices from_tensors group_by_window "
    "ignore_errors interleave list_files map padded_batch prefetch ragged_batch random range "
    "rebatch rejection_resample repeat sample_from_datasets scan shard shuffle skip "
    "snapshot sparse_batch take take_while unbatch unique window with_options zip".split()
)
DATASET = "tensorflow.data.Dataset"


class Use(NamedTuple):
    """A name that is used: its full path, its line, and whether a failing import is caught."""

    path: str
    line: int
    guarded: bool


class Value(NamedTuple):
    """What a name is known to be: the object at a path, or an instance of the class there."""

    path: str
    is_instance: bool = False


class ScriptNames(ast.NodeVisitor):
    """Collects `uses` from one or more trees that share their global names.

    is_class(path) says whether a path leads to a class: only calls of classes give instances.
    """

    def __init__(self, is_class: Callable[[str], bool]):
        self.uses: list[Use] = []
        self.is_class = is_class
        self._scopes: list[dict[str, Value | None]] = [{}]
        self._guards = 0
        self._later: list[tuple] = []
        self._set_attributes: set[str] = set()

    def read(self, tree: ast.Module) -> None:
        """Adds the uses of a tree; functions are read last, for they run when called."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self._set_attributes.add(node.attr)
        self._visit_all(tree.body)
        while self._later:
            body, scopes, guards = self._later.pop(0)
            outer = self._scopes, self._guards
            self._scopes, self._guards = scopes, guards
            self._visit_all(body)
            self._scopes, self._guards = outer

    def _visit_all(self, nodes) -> None:
        for node in nodes:
            self.visit(node)

    # --- imports ------------------------------------------------------------------------------

    def visit_Import(self, node):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            path = _standard(alias.name)
            if path is None:
                if root in NEED_TENSORFLOW:
                    self._use(root, alias)
                self._bind(alias.asname or root, None)
                continue
            self._use(path, alias)
            if alias.asname:
                self._bind(alias.asname, Value(path))
            else:
                self._bind(root, Value(root))

    def visit_ImportFrom(self, node):
        module = node.module or ""
        for alias in node.names:
            name = alias.asname or alias.name
            whole = module if alias.name == "*" else f"{module}.{alias.name}"
            path = None if node.level else _standard(whole)
            if path is not None:
                self._use(path, alias)
            elif not node.level and module.partition(".")[0] in NEED_TENSORFLOW:
                self._use(module.partition(".")[0], alias)
            if alias.name != "*":
                self._bind(name, Value(path) if path else None)

    # --- uses ---------------------------------------------------------------------------------

    def visit_Attribute(self, node):
        value = self._value_of(node)
        if value is not None and not value.is_instance:
            self._use(value.path, node)
        else:
            self.visit(node.value)

    def visit_Call(self, node):
        method = self._method_of(node.func)
        if method is not None:
            self._use(method, node.func)
        self.generic_visit(node)

    def _method_of(self, function) -> str | None:
        """The path of a method that is called on an instance of a known class."""
        if not isinstance(function, ast.Attribute) or function.attr in self._set_attributes:
            return None
        receiver = self._value_of(function.value)
        if receiver is None or not receiver.is_instance:
            return None
        return f"{receiver.path}.{function.attr}"

    def _value_of(self, node) -> Value | None:
        if isinstance(node, ast.Name):
            return self._lookup(node.id)
        if isinstance(node, ast.Attribute):
            base = self._value_of(node.value)
            if base is None or base.is_instance:
                return None
            path = _standard(f"{base.path}.{node.attr}")
            return Value(path) if path else None
        return self._result_of(node) if isinstance(node, ast.Call) else None

    def _result_of(self, call) -> Value | None:
        """The instance that a call makes, if that is certain."""
        method = self._method_of(call.func)
        function = self._value_of(call.func)
        path = method or (function.path if function and not function.is_instance else None)
        if path is None:
            return None
        owner, _, name = path.rpartition(".")
        if owner == DATASET and name in _DATASET_METHODS:
            return Value(DATASET, is_instance=True)
        return Value(path, is_instance=True) if not method and self.is_class(path) else None

    def _use(self, path, node) -> None:
        use = Use(path, node.lineno, self._guards > 0)
        if use not in self.uses:
            self.uses.append(use)

    # --- names and scopes ---------------------------------------------------------------------

    def _lookup(self, name) -> Value | None:
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        return None

    def _bind(self, name, value) -> None:
        self._scopes[-1][name] = value

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self._bind(node.id, None)

    def visit_Assign(self, node):
        self.visit(node.value)
        value = self._value_of(node.value)
        for target in node.targets:
            self.visit(target)
            if isinstance(target, ast.Name):
                self._bind(target.id, value)

    def _visit_comprehension(self, node):
        self._scopes.append({})
        self._visit_all(node.generators)
        self._visit_all(v for f, v in ast.iter_fields(node) if f != "generators")
        self._scopes.pop()

    visit_ListComp = visit_SetComp = visit_GeneratorExp = _visit_comprehension
    visit_DictComp = _visit_comprehension

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.visit(item.optional_vars)
            if isinstance(item.optional_vars, ast.Name):
                self._bind(item.optional_vars.id, self._value_of(item.context_expr))
        self._visit_all(node.body)

    def visit_For(self, node):
        # The body may run again after names in it were bound anew.
        self.visit(node.iter)
        self.visit(node.target)
        self._visit_all(node.body + node.orelse)

    def visit_Try(self, node):
        caught = any(_catches_imports(handler.type) for handler in node.handlers)
        self._guards += caught
        self._visit_all(node.body)
        self._guards -= caught
        for handler in node.handlers:
            self._visit_all(handler.body)
        self._visit_all(node.orelse + node.finalbody)

    def visit_FunctionDef(self, node):
        self._visit_all(node.decorator_list)
        self._bind(node.name, None)
        self._read_later(node.args, node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self._read_later(node.args, [node.body])

    def _read_later(self, arguments, body) -> None:
        self._visit_all(arguments.defaults + [d for d in arguments.kw_defaults if d])
        listed = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
        listed += [a for a in (arguments.vararg, arguments.kwarg) if a]
        self._visit_all([a.annotation for a in listed if a.annotation])
        scope = {argument.arg: None for argument in listed}
        self._later.append((body, [*self._scopes, scope], self._guards))

    def visit_ClassDef(self, node):
        self._visit_all(node.decorator_list + node.bases + node.keywords)
        self._bind(node.name, None)
        # Names of the class itself are not seen by its methods.
        self._scopes.append({})
        self._visit_all(node.body)
        class_scope = self._scopes.pop()
        self._later = [
            (body, [s for s in scopes if s is not class_scope], guards)
            for body, scopes, guards in self._later
        ]


def _standard(path: str) -> str | None:
    """A path with TensorFlow's or Keras's own root; None if it belongs to neither."""
    if path.startswith("plimsoll.tensorflow") or path.startswith("plimsoll.keras"):
        path = path.removeprefix("plimsoll.")
    elif path == "plimsoll":
        return path
    return path if path.partition(".")[0] in ("tensorflow", "keras") else None


def _catches_imports(kind) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(isinstance(k, ast.Name) and k.id in _CATCHES_IMPORTS for k in kinds)

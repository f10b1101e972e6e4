"""Whether a text defines the program's function, and what to say where it does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from groundplan.generalize.top_level import Statement

_ARGUMENTS = ("objects", "init", "goal")


def defines(tree: ast.Module, function: str) -> bool:
    """Whether the top level binds the function: by `def`, a lambda, another name for a function.

    An import does not count: it is how an example of use gets the program.
    """
    return any(not item.is_import and function in item.binds for item in map(Statement, tree.body))


def is_sketch(tree: ast.Module, function: str) -> bool:
    """Whether the function's body is left to the reader: `...`, `pass` or an error alone, or `...` within."""
    found = _definition(tree, function)
    if found is None:
        return False
    body = [node for node in found.body if not _is_constant(node)]
    if any(_is_ellipsis(node) for node in ast.walk(found)):
        return True
    return all(isinstance(node, ast.Pass) or _is_not_implemented(node) for node in body)


def cannot_return(tree: ast.Module, function: str) -> bool:
    """Whether the function has no way to give anything back, as when its end is missing."""
    found = _definition(tree, function)
    if found is None:
        return False
    own = list(_own_nodes(found))
    return not any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own) and not any(
        isinstance(node, ast.Return) and node.value is not None for node in own
    )


def calling_method(tree: ast.Module, function: str) -> str:
    """The expression that calls the function where it is a method of a class; empty where there is none that could."""
    for node in reversed(tree.body):
        if isinstance(node, ast.ClassDef):
            methods = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
            if function in methods and (call := _call(node.name, methods, function)):
                return call
    return ""


def without_function(trees: Sequence[ast.Module], function: str) -> str:
    """What to say of code that does not define the function; trees is empty where there was no code at all."""
    wanted = f"`{function}({', '.join(_ARGUMENTS)})`"
    defined = [node for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    classes = [node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)]
    if not defined and not classes:
        return f"No program was found: there is no code with a function {wanted}."
    for node in (*defined, *classes):
        if any(isinstance(inner, ast.FunctionDef) and inner.name == function for inner in ast.walk(node)):
            return f"`{function}` is defined within `{node.name}`: define {wanted} at the top level."
    fitting = [node for node in defined if len(node.args.args) == len(_ARGUMENTS)]
    if len(fitting) == 1:
        return (
            f"The program defines no function `{function}`. `{fitting[0].name}` takes three arguments: if that is the "
            f"one, call it `{function}`."
        )
    names = ", ".join(f"`{node.name}`" for node in (defined or classes)[:8])
    return f"The program defines no function {wanted}; it defines {names}."


def _definition(tree: ast.Module, function: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The last `def` of the function, unless it is bound in another way after that."""
    found: ast.FunctionDef | ast.AsyncFunctionDef | None = None
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function:
            found = node
        elif function in Statement(node).binds:
            found = None
    return found


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's body, those of functions within left out."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield node
            yield from _own_nodes(node)


def _call(name: str, methods: dict[str, ast.FunctionDef], function: str) -> str:
    method = methods[function]
    arguments = ", ".join(_ARGUMENTS)
    kinds = {item.id for item in method.decorator_list if isinstance(item, ast.Name)}
    if kinds & {"staticmethod", "classmethod"}:
        takes = _required(method) - ("classmethod" in kinds)
        return f"{name}.{function}({arguments})" if takes == len(_ARGUMENTS) else ""
    made_with = _required(methods["__init__"]) - 1 if "__init__" in methods else 0
    takes = _required(method) - 1
    if (made_with, takes) == (0, len(_ARGUMENTS)):
        return f"{name}().{function}({arguments})"
    return f"{name}({arguments}).{function}()" if (made_with, takes) == (len(_ARGUMENTS), 0) else ""


def _required(function: ast.FunctionDef) -> int:
    """How many positional arguments a function must be given."""
    return len(function.args.posonlyargs) + len(function.args.args) - len(function.args.defaults)


def _is_constant(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is not ...


def _is_ellipsis(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _is_not_implemented(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.unparse(node.exc)

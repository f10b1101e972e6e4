"""Blocks that belong together, made one text: helpers first, then the program, then what corrects it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from dataclasses import dataclass

from groundplan.generalize.python_text import Parsed
from groundplan.generalize.top_level import Statement, needed_names, rendered, segment, statements

_BUILTINS = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True)
class Joined:
    source: str
    tree: ast.Module
    notes: tuple[str, ...]


def joined(blocks: Sequence[Parsed | None], main: int, function: str) -> Joined:
    """The main block with the later blocks that add to it, and with what it needs of earlier ones.

    Blocks that are no Python are None. Definitions of a later block take the place of equally named ones in an earlier
    block; other definitions of `function` than the main block's are left out.
    """
    block = blocks[main]
    assert block is not None
    later = [_without(item, function) for item in blocks[main + 1 :] if item is not None and _corrects(item, block)]
    earlier = [item for item in blocks[:main] if item is not None]
    redefined = {name for item in later for name in _defined(item)}
    own = _without_all(block, redefined - {function})
    behind = "\n\n\n".join(text for item in later if (text := item.source.strip("\n")))
    head = _needed_of(earlier, own, later, function)
    if not head and not behind:
        return Joined(block.source, block.tree, block.notes)
    text = "\n\n\n".join(part for part in (*head, own.source.strip("\n"), behind) if part)
    notes = dict.fromkeys(note for item in (*earlier, block, *later) for note in item.notes)
    count = len(later) + bool(head) + 1
    source, tree = _with_future_first(text)
    return Joined(source, tree, (*notes, *(("several code blocks were joined",) if count > 1 else ())))


def _needed_of(earlier: Sequence[Parsed], own: Parsed, later: Sequence[Parsed], function: str) -> list[str]:
    """The statements of earlier blocks that the program needs, each in its own words."""
    present = [item for part in (own, *later) for item in statements(part.tree.body)]
    bound = {name for item in present for name in item.binds}
    found = [(part, item) for part in earlier for item in statements(part.tree.body) if function not in item.binds]
    if not (needed_names(present, [function]) - bound - _BUILTINS):
        return []
    needed = needed_names([*(item for _, item in found if not item.binds & bound), *present], [function])
    last = {name: item for _, item in found if item.is_definition for name in item.binds}
    texts = []
    for part, item in found:
        replaced = item.is_definition and any(last[name] is not item for name in item.binds)
        if item.binds & needed - bound and not replaced:
            texts.append(segment(part, item.node))
    return texts


def _corrects(block: Parsed, main: Parsed) -> bool:
    """Whether a later block defines something, or sets what the main block needs; examples of use do not."""
    items = statements(block.tree.body)
    used = {name for item in statements(main.tree.body) for name in item.uses}
    return any(item.is_definition or item.binds & used for item in items)


def _defined(block: Parsed) -> set[str]:
    return {name for item in statements(block.tree.body) if item.is_definition for name in item.binds}


def _without(block: Parsed, function: str) -> Parsed:
    """The block without what binds the function."""
    nodes = [node for node in block.tree.body if function in Statement(node).binds]
    return _dropping(block, nodes)


def _without_all(block: Parsed, names: set[str]) -> Parsed:
    """The block without the definitions of these names."""
    items = [item for item in statements(block.tree.body) if item.is_definition and item.binds & names]
    return _dropping(block, [item.node for item in items])


def _dropping(block: Parsed, nodes: Sequence[ast.stmt]) -> Parsed:
    if not nodes:
        return block
    body = [node for node in block.tree.body if node not in nodes]
    return Parsed(rendered(block, nodes), ast.Module(body, []), block.notes)


def _with_future_first(text: str) -> tuple[str, ast.Module]:
    """The text with its `from __future__` lines at the head, where alone they may stand."""
    tree = ast.parse(text)
    future = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    if not future:
        return text, tree
    lines = dict.fromkeys(ast.unparse(node) for node in future)
    text = "\n".join(lines) + "\n\n" + rendered(Parsed(text, tree), future)
    return text, ast.parse(text)

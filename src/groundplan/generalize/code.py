"""From a model's reply to a program: one Python text that runs alone as a file, or why there is none."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from groundplan.generalize.joining import joined
from groundplan.generalize.kinds import Kind
from groundplan.generalize.python_text import Parsed, SyntaxFault, parsed
from groundplan.generalize.reply_blocks import Block, blocks_in, without_prose
from groundplan.generalize.top_level import Kept, foreign_modules, note_of, rendered, statements
from groundplan.generalize.whole import calling_method, cannot_return, defines, is_sketch, without_function

FUNCTION = "get_plan"


@dataclass(frozen=True, slots=True)
class ProgramText:
    """A program found in a reply.

    `source` runs alone; it is empty with a `fault` (NO_PROGRAM), which `message` explains in full sentences. `notes`
    tell what was left out or changed, and which modules are not in the standard library (these are found missing
    when the program runs).
    """

    source: str
    notes: tuple[str, ...] = ()
    fault: Kind | None = None
    message: str = ""


class _NoProgram(Exception):
    """Why there is no program, in a full sentence."""


def program_from_reply(text: str, function: str = FUNCTION) -> ProgramText:
    """The program in a reply: the last whole one, with the blocks that belong to it. Never raises.

    Code may stand in fences of any kind, or between prose. Blocks are joined where the program needs them; of two
    definitions the later one counts. What would run the program on import (demo calls, a main guard) is left out.
    """
    try:
        return _program(text, function)
    except _NoProgram as why:
        return ProgramText("", (), Kind.NO_PROGRAM, str(why))
    except (RecursionError, MemoryError, ValueError):  # nested too deep, or Python cannot write a part of it again
        message = "The program cannot be read: write it in a simpler form, with one statement a line."
        return ProgramText("", (), Kind.NO_PROGRAM, message)


def _program(text: str, function: str) -> ProgramText:
    if not text.strip():
        raise _NoProgram("The reply was empty.")
    blocks = [_mended(block, function) for block in blocks_in(text, function)]
    main = _main(blocks, function)
    found = joined([block.code if isinstance(block.code, Parsed) else None for block in blocks], main, function)
    source, notes = found.source, list(found.notes)
    if not defines(found.tree, function):
        call = calling_method(found.tree, function)
        source += f"\n\n\ndef {function}(objects, init, goal):\n    return {call}\n"
        notes.append(f"`{function}` is a method: a function that calls it was added")
    clean, left_out = _cleaned(_parsed_again(source), function)
    for module in foreign_modules(ast.parse(clean)):
        notes.append(f"it imports `{module}`, which is not in Python's standard library")
    if not blocks[main].closed:
        notes.append("the code block has no end: the reply may have been cut off")
    return ProgramText(clean, (*notes, *left_out))


def _mended(block: Block, function: str) -> Block:
    return block if isinstance(block.code, Parsed) else without_prose(block, function)


def _main(blocks: list[Block], function: str) -> int:
    """The block with the program: the last that defines the function as a whole. Raises _NoProgram."""
    whole, parts = -1, -1
    for number, block in enumerate(blocks):
        if not isinstance(block.code, Parsed):
            continue
        tree = block.code.tree
        if defines(tree, function):
            if is_sketch(tree, function):
                parts = number
            else:
                whole = number
        elif calling_method(tree, function):
            whole = number
    _refuse_broken(blocks, whole, function)
    if whole < 0 and parts >= 0:
        raise _NoProgram(f"The program is not written out: the body of `{function}` is missing.")
    if whole < 0:
        trees = [block.code.tree for block in blocks if isinstance(block.code, Parsed)]
        raise _NoProgram(without_function(trees, function))
    block = blocks[whole]
    assert isinstance(block.code, Parsed)
    if not block.closed and cannot_return(block.code.tree, function):
        raise _NoProgram(_cut_off(block.text))
    if any(isinstance(node, ast.AsyncFunctionDef) and node.name == function for node in block.code.tree.body):
        raise _NoProgram(f"`{function}` is an `async def`, whose call gives no plan: write it as a plain `def`.")
    return whole


def _refuse_broken(blocks: list[Block], whole: int, function: str) -> None:
    """Raises _NoProgram where the block that was meant is no Python: the last attempt at the function.

    A short broken block behind a whole program is taken for an excerpt of it.
    """
    for number in range(len(blocks) - 1, whole, -1):
        block = blocks[number]
        if not isinstance(block.code, SyntaxFault):
            continue
        attempts = f"def {function}" in block.text
        if whole >= 0 and not (attempts and (block.is_cut_off or 2 * len(block.text) > len(blocks[whole].text))):
            continue
        if block.is_cut_off:
            raise _NoProgram(_cut_off(block.text))
        if attempts or whole < 0:
            fault = block.code
            raise _NoProgram(f"The program is no valid Python: in line {fault.line}, {fault.message}{_shown(fault)}.")


def _cut_off(text: str) -> str:
    last = text.rstrip().rpartition("\n")[2].strip()[:160]
    return f"The reply was cut off before the end of the program; its last line is `{last}`. Write a shorter answer."


def _shown(fault: SyntaxFault) -> str:
    return f": `{fault.code}`" if fault.code else ""


def _parsed_again(source: str) -> Parsed:
    code = parsed(source)
    if isinstance(code, SyntaxFault):
        raise _NoProgram(f"The blocks of the program make no valid Python together: {code}.")
    return code


def _cleaned(code: Parsed, function: str) -> tuple[str, list[str]]:
    """The program without what would run it on import, and the notes on that."""
    kept = Kept(statements(code.tree.body), function)
    dropped = sorted(kept.dropped, key=lambda pair: pair[0].node.lineno)
    source = rendered(code, [item.node for item, _ in dropped])
    again = parsed(source)
    if isinstance(again, SyntaxFault):
        raise _NoProgram(f"The program is no valid Python without the code that runs it: {again}.")
    return source, [note_of(item, reason) for item, reason in dropped]

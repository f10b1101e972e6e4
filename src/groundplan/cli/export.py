"""groundplan export-policy"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundplan.cli.exits import Exit
from groundplan.cli.options import AsJson
from groundplan.cli.output import say, say_json
from groundplan.cli.train import require_training
from groundplan.errors import InputError

ROLE_HELP = "actor, judge or editor: this role alone, merged into a plain Hugging Face directory."


def add_to(app: typer.Typer) -> None:
    @app.command(name="export-policy", help="A trained policy for other programs, or packed small.")
    def command(
        policy: Annotated[Path, typer.Argument(metavar="RUN", help="What `groundplan train` left, or a policy in it.")],
        out: Annotated[Path, typer.Option("--out", help="A new directory.")],
        role: Annotated[str, typer.Option("--role", help=ROLE_HELP)] = "actor",
        packed: Annotated[bool, typer.Option("--packed", help="All roles, in 8 bits, for trained:DIR.")] = False,
        as_json: AsJson = False,
    ) -> int:
        require_training()
        found = export(policy, out, role, packed)
        size = sum(file.stat().st_size for file in found.iterdir())
        if as_json:
            say_json({"folder": str(found), "bytes": size, "role": None if packed else role})
        else:
            say(f"{found}: {size / 1e6:.1f} MB")
        return Exit.YES


def export(policy: Path, out: Path, role: str, packed: bool) -> Path:
    """Raises InputError for an unknown role, a policy that cannot be read, or a directory that is in use."""
    from groundplan.pddl.diagnostics import did_you_mean, listing
    from groundplan.train.checkpoint import policy_folder
    from groundplan.train.export import export_packed, export_role
    from groundplan.train.policy import Role
    from groundplan.train.role_model import load_policy

    roles = [item.value for item in Role]
    if role not in roles:
        raise InputError(f"no role `{role}`: {did_you_mean(role, roles) or 'there are ' + listing(roles)}")
    if out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: there is something here already; name a new directory")
    if packed:
        return export_packed(policy_folder(policy), out)
    return export_role(load_policy(policy), Role(role), out)

"""The local model as it is shipped."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from groundplan.pddl.read import domain_from_text  # noqa: E402
from groundplan.solve.outcome import Limits  # noqa: E402
from groundplan.solve.pool import SolverPool  # noqa: E402
from groundplan.train.checkpoint import WEIGHTS, read_head  # noqa: E402
from groundplan.train.domain_form import domain_form  # noqa: E402
from groundplan.train.environment import Environment  # noqa: E402
from groundplan.train.episode import Stage  # noqa: E402
from groundplan.train.evaluate import evaluate  # noqa: E402
from groundplan.train.guides import Guides  # noqa: E402
from groundplan.train.local_model import SHIPPED  # noqa: E402
from groundplan.train.policy import Role  # noqa: E402
from groundplan.train.role_model import load_policy  # noqa: E402
from groundplan.train.sampling import Decoding  # noqa: E402
from groundplan.train.texts import written_task  # noqa: E402


def test_it_is_small_and_says_what_it_was_measured_on() -> None:
    head = read_head(SHIPPED)
    assert head["backbone"] == "smollm2"
    assert (SHIPPED / WEIGHTS).stat().st_size < 15e6
    for domain in ("blocksworld", "gripper"):
        assert head["measured"][domain]["faithful"] >= 0.6
        assert head["measured"][domain]["n"] >= 100


@pytest.mark.slow
def test_it_formalizes_fresh_texts() -> None:
    """On self-made texts of sizes and seeds beyond its training; most come out right."""
    policy = load_policy(SHIPPED)
    tasks = [written_task(("blocksworld", "gripper")[n % 2], 55_000_000 + n, (3, 4)) for n in range(16)]
    forms = {task.domain_pddl: domain_form(domain_from_text(task.domain_pddl)) for task in tasks}
    guides = Guides(policy.tokenizer, policy.model_of(Role.ACTOR).get_output_embeddings().weight.shape[0])
    with SolverPool(workers=2) as pool:
        stage = Stage(policy, Environment(pool, Limits(wall_s=20)), guides, forms)
        found = evaluate(stage, tasks, Decoding(max_tokens=300), frozenset({Role.ACTOR}), 0)
    assert found.faithful_success >= 0.5

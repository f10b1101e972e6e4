"""A trained policy behind the model protocol, and prompts read back to contexts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from groundplan.cli.app import run as command  # noqa: E402
from groundplan.errors import InputError  # noqa: E402
from groundplan.formalize import prompts  # noqa: E402
from groundplan.formalize.contexts import read_context  # noqa: E402
from groundplan.formalize.specification import Specification  # noqa: E402
from groundplan.models.errors import ModelConfigError  # noqa: E402
from groundplan.models.protocol import Message, Sampling  # noqa: E402
from groundplan.train.backbone import tiny_backbone  # noqa: E402
from groundplan.train.checkpoint import save_policy  # noqa: E402
from groundplan.train.policy import PolicySettings, RolePolicy  # noqa: E402
from groundplan.train.role_model import open_trained  # noqa: E402
from groundplan.train.texts import domain_text, written_task  # noqa: E402

words = st.text(st.characters(codec="utf-8", exclude_characters="\r\x85\u2028\u2029"), min_size=1).filter(
    lambda text: text.strip() and "```" not in text and "\n\n" not in text
)
quick = settings(max_examples=60, deadline=None, derandomize=True)


@quick
@given(words, words, words, words)
def test_contexts_are_read_back_from_the_prompts(text, domain, problem, said) -> None:
    text, domain, problem, said = (part.strip() for part in (text, domain, problem, said))
    found = read_context(prompts.actor(text, domain))
    assert found is not None
    assert (found.role, found.text, found.specification) == ("actor", text, Specification(domain))
    present = Specification(domain, problem)
    found = read_context(prompts.editor(text, present, said, True))
    assert found is not None
    assert (found.role, found.text, found.specification, found.diagnostics) == ("editor", text, present, said)
    found = read_context(prompts.judge(text, present))
    assert found is not None
    assert (found.role, found.text, found.specification) == ("judge", text, present)


def test_other_prompts_are_no_contexts() -> None:
    assert read_context([]) is None
    assert read_context([Message("user", "Task:\nwrite a poem")]) is None
    assert read_context(prompts.actor("go")) is None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("trained") / "policy"
    save_policy(RolePolicy(tiny_backbone(), PolicySettings(role_rank=1)), place)
    return place


def test_an_untrained_policy_answers_in_all_roles(folder) -> None:
    model, task = open_trained(folder), written_task("blocksworld", 3, (2, 3))
    domain = domain_text("blocksworld")
    sampling = Sampling(temperature=0.7, max_tokens=40, seed=1)
    asked = prompts.actor(task.text, domain)
    assert model.reply(asked, sampling, 0).text == model.reply(asked, sampling, 0).text
    assert model.reply(asked, sampling, 0).text != model.reply(asked, sampling, 1).text
    present = Specification(domain, task.problem)
    assert "```pddl" in model.reply(prompts.editor(task.text, present, "no plan", True), sampling).text
    assert json.loads(model.reply(prompts.judge(task.text, present), sampling).text)["score"] == 0.5


def test_it_says_what_it_cannot_do(folder) -> None:
    model = open_trained(folder)
    with pytest.raises(ModelConfigError, match="--domain"):
        model.reply(prompts.actor("go"), Sampling())
    with pytest.raises(InputError, match="no trained policy"):
        open_trained(folder.parent / "elsewhere")


def test_on_the_command_line(folder, tmp_path, capsys) -> None:
    task = written_task("blocksworld", 3, (2, 3))
    (tmp_path / "d.pddl").write_text(task.domain_pddl)
    (tmp_path / "t.txt").write_text(task.text)
    arguments = ["formalize", str(tmp_path / "t.txt"), "--domain", str(tmp_path / "d.pddl")]
    arguments += ["--model", f"trained:{folder}", "--out", str(tmp_path / "run"), "--json", "--max-tokens", "60"]
    assert command(arguments) in (0, 1, 3)
    found = json.loads(capsys.readouterr().out)
    assert found["model"].startswith("trained:")
    assert found["model_calls"] >= 1
    assert command(["formalize", "x", "--model", f"trained:{tmp_path}/no", "--out", str(tmp_path / "r2")]) == 2


def test_train_on_the_command_line(tmp_path, capsys) -> None:
    config = tmp_path / "config.yaml"
    config.write_text(
        "model: tiny\npolicy: {role_rank: 1}\ntasks: {size: [2, 2], held_out: 1}\nbatch: 2\nsamples: 2\n"
        "cycles: 1\nupdates: 1\nmax_repairs: 1\ndecoding: {max_tokens: 40}\nsolver: builtin\n"
    )
    assert command(["train", str(config), "--estimate", "--json"]) == 0
    estimated = json.loads(capsys.readouterr().out)
    assert estimated["parameters"]["actor"] > 0
    assert estimated["seconds"] > 0
    assert command(["train", str(config), "--out", str(tmp_path / "run"), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["reason"] == "all cycles done"
    assert command(["resume", str(tmp_path / "run"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["evaluations"] == first["evaluations"]
    assert command(["train", "cpuu", "--out", str(tmp_path / "x")]) == 2
    assert command(["train", "paper", "--estimate"]) == 0
    said = capsys.readouterr().out
    assert "1.67%" in said
    assert "time: unknown" in said
    assert command(["train", "cpu"]) == 2

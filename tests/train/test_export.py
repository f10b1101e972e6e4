"""Policies for other programs: merged, packed, and the local model that serves without a key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch")

from groundplan.cli.app import run as command  # noqa: E402
from groundplan.errors import InputError  # noqa: E402
from groundplan.formalize import prompts  # noqa: E402
from groundplan.models.protocol import Sampling  # noqa: E402
from groundplan.train.backbone import load_backbone, tiny_backbone  # noqa: E402
from groundplan.train.checkpoint import load_weights, save_policy  # noqa: E402
from groundplan.train.export import export_packed, export_role  # noqa: E402
from groundplan.train.local_model import open_local, what_it_is_good_for  # noqa: E402
from groundplan.train.packing import pack, unpack  # noqa: E402
from groundplan.train.policy import PolicySettings, Role, RolePolicy  # noqa: E402
from groundplan.train.texts import domain_text  # noqa: E402

OTHER = """(define (domain lamps) (:predicates (on ?x) (off ?x))
  (:action press :parameters (?x) :precondition (off ?x) :effect (and (on ?x) (not (off ?x)))))"""


def random_policy(seed: int = 0, **changes) -> RolePolicy:
    """A tiny policy whose adapters do something."""
    policy = RolePolicy(tiny_backbone(seed), PolicySettings(role_rank=2, **changes), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in policy.named_parameters():
            if "lora_" in name:
                parameter.copy_(0.3 * torch.randn(parameter.shape, generator=generator))
    return policy.eval()


@settings(deadline=None, max_examples=30)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 99), st.sampled_from([0.0, 1e-6, 1.0, 1e4]))
def test_packing_is_off_by_half_a_step_at_most(rows, columns, seed, size) -> None:
    value = size * torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    back = unpack(pack({"w": value, "b": value[0]}))
    step = value.abs().amax(0 if rows > columns else 1, keepdim=True) / 127
    assert ((back["w"] - value).abs() <= 0.51 * step + 1e-12).all()
    assert torch.equal(back["b"], value[0])
    assert set(back) == {"w", "b"}


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize("backbone", ["full", "lora", "frozen"])
def test_the_merged_model_says_what_the_policy_says(tmp_path, role, backbone) -> None:
    policy = random_policy(backbone=backbone)
    context, reply = [5, 9, 77, 30], [12, 13, 14, 99]
    [(expected, _)] = policy.reply_logits(role, [context], [reply])
    loaded = load_backbone(str(export_role(policy, role, tmp_path / "merged")))
    prompt = loaded.tokenizer.apply_chat_template([{"role": "user", "content": "x"}], return_dict=False)
    ids = torch.tensor([[prompt[0], *context, *reply]])
    with torch.no_grad():
        found = loaded.model(input_ids=ids).logits[0, len(context) : len(context) + len(reply)]
    assert torch.allclose(found[:, : expected.shape[1]], expected, atol=1e-4)
    assert loaded.tokenizer.decode(prompt) == f"<|{role}|>x"
    [(again, _)] = policy.reply_logits(role, [context], [reply])
    assert torch.equal(again, expected)  # the policy itself is as it was


def test_a_packed_policy_is_loaded_as_any_other(tmp_path) -> None:
    policy = random_policy(backbone="lora", shared_rank=2)
    save_policy(policy, tmp_path / "whole")
    export_packed(tmp_path / "whole", tmp_path / "packed")
    other = RolePolicy(tiny_backbone(), policy.settings, seed=5)
    load_weights(other, tmp_path / "packed")
    for (name, one), (_, two) in zip(policy.trainable(), other.trainable(), strict=True):
        assert torch.allclose(one, two, atol=0.02), name
    whole, packed = (tmp_path / kind / "weights.safetensors" for kind in ("whole", "packed"))
    assert packed.stat().st_size < 0.7 * whole.stat().st_size  # half of a policy as small as this is names


def test_export_on_the_command_line(tmp_path, capsys) -> None:
    save_policy(random_policy(), tmp_path / "policy")
    arguments = ["export-policy", str(tmp_path / "policy"), "--out"]
    assert command([*arguments, str(tmp_path / "merged"), "--role", "editor", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["role"] == "editor"
    assert command([*arguments, str(tmp_path / "packed"), "--packed"]) == 0
    assert command([*arguments, str(tmp_path / "merged")]) == 2  # something is there
    assert command([*arguments, str(tmp_path / "x"), "--role", "actr"]) == 2
    assert "actor" in capsys.readouterr().err
    assert command(["export-policy", str(tmp_path / "nothing"), "--out", str(tmp_path / "y")]) == 2


@pytest.fixture
def local(tmp_path) -> Path:
    """A local model as it is shipped, of a tiny backbone."""
    save_policy(random_policy(), tmp_path / "policy")
    measured = {"blocksworld": {"faithful": 0.5, "n": 100}}
    return export_packed(tmp_path / "policy", tmp_path / "local", measured=measured)


def test_the_local_model_warns_once_where_it_was_never_measured(local) -> None:
    told: list[str] = []
    model = open_local(told.append, local)
    assert "blocksworld 50% of 100" in told[0]
    how = Sampling(max_tokens=20)
    for domain in (domain_text("blocksworld"), OTHER, OTHER, domain_text("blocksworld")):
        model.reply(prompts.actor("Press a.", domain), how)
    assert [line for line in told if "warning" in line] == told[1:]
    assert len(told) == 2
    assert "`lamps`" in told[1]


def test_a_local_model_that_is_not_there_is_told(tmp_path) -> None:
    with pytest.raises(InputError, match="not part of this installation"):
        open_local(folder=tmp_path)
    assert "never measured" in what_it_is_good_for({})

"""The policy's parts: which parameters a role has, and which ones its loss reaches."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from groundplan.errors import InputError  # noqa: E402
from groundplan.train.backbone import load_backbone, tiny_backbone  # noqa: E402
from groundplan.train.logprobs import reply_log_probs  # noqa: E402
from groundplan.train.policy import PolicySettings, Role, RolePolicy  # noqa: E402
from groundplan.train.sampling import Decoding, write  # noqa: E402
from groundplan.train.shares import qwen2_5_7b, shares_from_configuration, shares_of  # noqa: E402

MAKES = {
    "full": PolicySettings(backbone="full", role_rank=2),
    "lora": PolicySettings(backbone="lora", shared_rank=4, role_rank=2),
    "frozen": PolicySettings(backbone="frozen", role_rank=2),
    "separate": PolicySettings(separate=True),
}


@pytest.fixture(params=MAKES)
def policy(request) -> RolePolicy:
    return RolePolicy(tiny_backbone(), MAKES[request.param])


def loss_of(policy: RolePolicy, role: Role) -> torch.Tensor:
    if role is Role.JUDGE:
        return policy.judge_logits([[5, 6, 7], [8]]).sum() + 0 * policy.judge_head.weight.sum()
    logs, _ = reply_log_probs(policy, role, [[5, 6], [7]], [[8, 9, 10], [11]], [None, None])
    return torch.cat(logs).sum()


def stirred(policy: RolePolicy) -> RolePolicy:
    """Adapters begin at zero, where half of their gradients vanish."""
    torch.manual_seed(1)
    with torch.no_grad():
        for name, parameter in policy.named_parameters():
            if "lora_B" in name or "judge_head" in name:
                parameter.normal_(0, 0.1)
    return policy


@pytest.mark.parametrize("role", list(Role))
def test_a_roles_loss_reaches_the_shared_parameters_and_its_own_alone(policy, role) -> None:
    loss_of(stirred(policy), role).backward()
    reached = {name for name, item in policy.named_parameters() if item.grad is not None and item.grad.abs().sum() > 0}
    own = {name for name, _ in policy.parameters_of(role) if not name.startswith("value_heads")}
    shared = {name for name, item in policy.parameters_of("shared") if item.requires_grad}
    others = {name for other in Role if other is not role for name, _ in policy.parameters_of(other)}
    assert not reached & others
    assert reached <= own | shared
    assert f"embeddings.{role}" in reached
    assert not shared or reached & shared
    missed = {name for name in (own | shared) - reached if "embed_tokens" not in name}
    assert not missed


def test_the_parts_are_all_parameters_once(policy) -> None:
    parts = [name for part in ("shared", *Role) for name, _ in policy.parameters_of(part)]
    assert sorted(parts) == sorted(name for name, _ in policy.named_parameters())


def test_separate_models_share_nothing() -> None:
    policy = RolePolicy(tiny_backbone(), MAKES["separate"])
    assert not list(policy.parameters_of("shared"))
    assert shares_of(policy).parts["shared"] == 0


def test_shares_of_the_papers_backbone_from_its_configuration() -> None:
    shares = shares_from_configuration(qwen2_5_7b(), PolicySettings())
    assert shares.parts["shared"] == pytest.approx(7.6e9, rel=0.01)
    for role in Role:
        assert shares.share(role) == pytest.approx(0.0167, abs=0.0005)
    assert shares.share("shared") == pytest.approx(0.95, abs=0.001)


def test_shares_from_a_configuration_are_those_of_the_policy() -> None:
    backbone = tiny_backbone()
    config = backbone.model.config
    for settings in MAKES.values():
        expected = shares_from_configuration(config, settings)
        assert shares_of(RolePolicy(tiny_backbone(), settings)).parts == expected.parts


def test_roles_differ_and_rows_do_not_disturb_each_other(policy) -> None:
    stirred(policy)
    alone = reply_log_probs(policy, Role.ACTOR, [[5, 6]], [[8, 9, 10]], [None])[0][0]
    beside = reply_log_probs(policy, Role.ACTOR, [[5, 6], [7] * 9], [[8, 9, 10], [1, 2]], [None, None])[0][0]
    assert torch.allclose(alone, beside, atol=1e-5)
    other = reply_log_probs(policy, Role.EDITOR, [[5, 6]], [[8, 9, 10]], [None])[0][0]
    assert not torch.allclose(alone, other, atol=1e-5)


def test_writing_and_scoring_agree_on_log_probabilities(policy) -> None:
    """What is written greedily is what the scoring pass finds likeliest: the cache and the padding change nothing."""
    contexts = [[5, 6, 7, 8], [9], [10, 11]]
    found = write(policy, Role.ACTOR, contexts, Decoding(temperature=0.0, max_tokens=6), [None] * 3)
    for context, reply in zip(contexts, found, strict=True):
        [(logits, _)] = policy.reply_logits(Role.ACTOR, [context], [list(reply.tokens)])
        assert logits.argmax(-1).tolist() == list(reply.tokens)


def test_sampling_follows_its_seed() -> None:
    policy = RolePolicy(tiny_backbone(), MAKES["full"])
    decoding = Decoding(max_tokens=12)

    def once(seed: int) -> list[tuple[int, ...]]:
        seeds = [seed + place for place in range(4)]
        return [item.tokens for item in write(policy, Role.ACTOR, [[3]] * 4, decoding, [None] * 4, seeds)]

    assert once(1) == once(1) != once(9)
    assert once(1)[1:] == once(2)[:3]  # a reply depends on its own seed, not on its place


@pytest.mark.parametrize("name", ["/nowhere/at/all", "."])
def test_a_model_that_is_not_there_is_told(name) -> None:
    with pytest.raises(InputError, match="no model here"):
        load_backbone(name)

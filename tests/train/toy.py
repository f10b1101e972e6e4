"""A toy task for must-learn tests: of four goals, one has a plan, one holds already, two have none."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from groundplan.pddl.read import domain_from_text
from groundplan.solve.builtin import BuiltinEngine
from groundplan.solve.outcome import Limits
from groundplan.train.backbone import tiny_backbone
from groundplan.train.domain_form import domain_form
from groundplan.train.environment import Environment
from groundplan.train.episode import Episode, Stage, play
from groundplan.train.guides import Guides
from groundplan.train.policy import PolicySettings, Role, RolePolicy
from groundplan.train.rewards import RewardSettings
from groundplan.train.sampling import Decoding
from groundplan.train.settings import OptimizerSettings
from groundplan.train.texts.written import WrittenTask
from groundplan.train.update import batch_from, update

DOMAIN = """(define (domain toy) (:requirements :strips) (:predicates (p ?x) (q ?x) (r ?x) (s ?x))
  (:action go :parameters (?x) :precondition (p ?x) :effect (and (q ?x) (not (p ?x)))))"""
PROBLEM = "(define (problem t) (:domain toy) (:objects a) (:init (p a)) (:goal (q a)))"
TASK = WrittenTask("toy", "toy", DOMAIN, "go", PROBLEM)
GRAMMAR = 'start: "(:objects a)\\n(:init (p a))\\n(:goal (" GOAL " a))\\n"\nGOAL: "p" | "q" | "r" | "s"\n'


class ToyGuides(Guides):
    def problem(self, domain, text):
        return self.grammar(GRAMMAR)


@dataclass
class Toy:
    """One training setup; `learn` makes updates and returns the episodes of the last one."""

    stage: Stage
    rewards: RewardSettings
    optimizer_settings: OptimizerSettings
    optimizer: torch.optim.Optimizer
    generator: torch.Generator

    def play(self, count: int = 32) -> list[Episode]:
        decoding = Decoding(temperature=1.0, nucleus=1.0, max_tokens=60)
        seeds = torch.randint(2**62, (count,), generator=self.generator).tolist()
        return play(self.stage, [TASK] * count, decoding, self.rewards.roles, 1, seeds)

    def learn(self, updates: int) -> list[Episode]:
        episodes = []
        for _ in range(updates):
            episodes = self.play()
            extra = [0.0] * len(episodes)
            batch = batch_from(self.stage, episodes, self.rewards, self.optimizer_settings, extra, None)
            update(self.stage.policy, batch, self.optimizer, self.rewards, self.optimizer_settings)
        return episodes


def toy(seed: int = 0, deaf: bool = False, backbone: str = "full", rank: int = 2, **rewards) -> Toy:
    """`deaf` has an environment in which everything is solved, so that the solver says nothing. With a frozen backbone
    the embeddings are made large, since else no adapter could make one letter much likelier than another."""
    policy = RolePolicy(
        tiny_backbone(seed, layers=1, width=32), PolicySettings(backbone=backbone, role_rank=rank), seed
    )
    if backbone == "frozen":
        with torch.no_grad():
            policy.model_of(Role.ACTOR).get_input_embeddings().weight.mul_(20)
    environment = Environment(BuiltinEngine(), Limits(wall_s=5.0))
    if deaf:
        answers = environment.answers
        environment.answers = lambda asked: [_all_good(answer) for answer in answers(asked)]  # type: ignore[method-assign]
    stage = Stage(
        policy, environment, ToyGuides(policy.tokenizer, 257), {DOMAIN: domain_form(domain_from_text(DOMAIN))}
    )
    settings = OptimizerSettings(learning_rate=0.01, minibatch=32)
    optimizer = torch.optim.AdamW([item for _, item in policy.trainable()], lr=0.01)
    return Toy(stage, RewardSettings(**rewards), settings, optimizer, torch.Generator().manual_seed(seed))


def _all_good(answer):
    from dataclasses import replace

    return replace(answer, solved=True, executable=True)


def solved_first(made: Toy, episodes: list[Episode]) -> float:
    """By the real goal, whatever the environment was told to say."""
    return sum("(goal (q a))" in item.first.reply.text.replace(":", "") for item in episodes) / len(episodes)


def repaired(made: Toy, episodes: list[Episode]) -> float:
    """The share of wrong first replies that the Editor's reply mends."""
    wrong = [item for item in episodes if item.repairs]
    assert len(wrong) > 20
    return sum(made.stage.solved(item.last.answer) for item in wrong) / len(wrong)


__all__ = ["Role", "Toy", "repaired", "solved_first", "toy"]

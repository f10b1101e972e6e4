"""How faithful a trained policy's problems are on PlanBench's texts, the domain given (greedy, one Actor reply).

    python benchmarks/formalizer_planbench.py --data PLANBENCH RUN... [--domains blocksworld gripper] [--n 100]

Prints solved, faithful and drift for each policy, with 95 % Wilson intervals, side by side in one run. `RUN` is a
directory of `groundplan train`, or of one policy in it (`RUN/warm-start`, `RUN/policy`).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

from groundplan.bench.rate import Rate
from groundplan.bench.sets.planning.reader import read_domain
from groundplan.bench.sets.task import Task
from groundplan.pddl.read import domain_from_text
from groundplan.solve.outcome import Limits
from groundplan.solve.pool import SolverPool
from groundplan.train.backbone import load_backbone
from groundplan.train.domain_form import domain_form
from groundplan.train.environment import Environment
from groundplan.train.episode import Stage
from groundplan.train.evaluate import evaluate
from groundplan.train.guides import Guides
from groundplan.train.policy import PolicySettings, Role, RolePolicy
from groundplan.train.role_model import load_policy
from groundplan.train.sampling import Decoding
from groundplan.train.texts import WrittenTask


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policies", nargs="*", help="trained policies")
    parser.add_argument("--untrained", help="also this model before any training (smollm2, tiny or a directory)")
    parser.add_argument("--data", type=Path, required=True, help="PlanBench's folder")
    parser.add_argument("--domains", nargs="+", default=["blocksworld", "gripper", "logistics"])
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--editor", type=int, default=0, help="repairs by the Editor")
    parser.add_argument("--max-tokens", type=int, default=512, help="longest reply")
    parser.add_argument("--out", type=Path, help="JSON lines, one a task")
    arguments = parser.parse_args()
    named = {path: load_policy(Path(path)) for path in arguments.policies}
    if arguments.untrained:
        named = {arguments.untrained: RolePolicy(load_backbone(arguments.untrained), PolicySettings()), **named}
    print(f"{'policy':30} {'domain':12} {'n':>4} {'solved':>7} {'faithful (95 %)':>24} {'drift':>6} {'s a task':>9}")
    with SolverPool(workers=2) as pool:
        for name, policy in named.items():
            for domain in arguments.domains:
                _row(name, policy, domain, arguments, pool)


def _row(name: str, policy: RolePolicy, domain: str, arguments: argparse.Namespace, pool: SolverPool) -> None:
    tasks = [_written(task) for task in read_domain(arguments.data, domain, domain)[: arguments.n]]
    guides = Guides(policy.tokenizer, policy.model_of(Role.ACTOR).get_output_embeddings().weight.shape[0])
    forms = {task.domain_pddl: domain_form(domain_from_text(task.domain_pddl)) for task in tasks}
    stage = Stage(policy, Environment(pool, Limits(wall_s=20.0)), guides, forms)
    roles = frozenset({Role.ACTOR, Role.EDITOR} if arguments.editor else {Role.ACTOR})
    started = time.monotonic()
    found = evaluate(stage, tasks, Decoding(max_tokens=arguments.max_tokens), roles, arguments.editor)
    seconds = (time.monotonic() - started) / len(tasks)
    right = sum(item.faithful and item.solved for item in found.tasks)
    low, high = Rate(right, len(tasks)).wilson()
    drift = "-" if found.drift is None else f"{found.drift:.2f}"
    share = f"{right / len(tasks):.2f} ({low:.2f} to {high:.2f})"
    print(
        f"{name[-30:]:30} {domain:12} {len(tasks):4} {found.share('solved'):7.2f} {share:>24} {drift:>6} {seconds:9.1f}"
    )
    if arguments.out:
        with arguments.out.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps({"policy": name, **item.as_json()}) + "\n" for item in found.tasks)


def _written(task: Task) -> WrittenTask:
    return WrittenTask(task.id, task.group, task.domain, task.text, task.gold["problem"], "planbench")


if __name__ == "__main__":
    main()

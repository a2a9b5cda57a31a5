"""Policies that were not trained at all, and small tasks to try them on."""

from __future__ import annotations

from liftq.encoders import encoder, encoders
from liftq.engine.task import Task
from liftq.models import Model, model, models
from liftq.models.networks.weights import initial, views
from liftq.models.rgnn import RGNN
from liftq.pddl import Domain, parse_problem
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.problems.loading import load_domain

PAIRS = [(name, model(each)) for name in encoders() for each in models() if model(each).reads(encoder(name))]
SMALL_SIZES = {"sokoban": 37, "visitall": 16, "rovers": 14, "spanner": 12}
# A domain that is not bundled.
LAMPS = """(define (domain lamps) (:requirements :strips :typing :negative-preconditions)
  (:types lamp place - object  bulb - lamp) (:constants hall - place)
  (:predicates (at ?l - lamp ?p - place) (on ?l - lamp) (dark))
  (:action switch :parameters (?l - lamp ?p - place)
    :precondition (and (at ?l ?p) (not (on ?l))) :effect (and (on ?l) (not (dark)))))"""


def policy_of(
    domain: Domain,
    encoder_name: str = "relational",
    model: Model | None = None,
    with_actions: bool = True,
    seed: int = 1,
    without: tuple[str, ...] = (),
    relaxed_plans: bool = False,
) -> PolicyFile:
    """Random weights."""
    model = model or RGNN(width=4, layers=2)
    encoding = encoder(encoder_name)(with_actions=with_actions, without=without, relaxed_plans=relaxed_plans)
    layout = model.layout(encoding.relations(domain), with_actions)
    weights = {name: weight[0].numpy() for name, weight in views(layout, initial(layout, [seed])).items()}
    return PolicyFile(domain, encoding, model, weights, {"seed": seed})


def greedy(task: Task, fallback: str = "search", seed: int = 1) -> Greedy:
    policy_file = policy_of(task.domain, model=RGNN(width=8, layers=4), seed=seed)
    return Greedy(policy_file, fallback=fallback)  # type: ignore[arg-type]


def small_task(name: str, seed: int = 3) -> Task:
    source = load_domain(name)
    return Task(source.domain, next(source.instances(SMALL_SIZES.get(name, 12), seed=seed)).problem)


def impossible_task() -> Task:
    """Four blocks; the arm cannot hold one and be empty."""
    domain = small_task("blocksworld").domain
    table = " ".join(f"(clear {name}) (on-table {name})" for name in "abcd")
    text = f"""(define (problem p) (:domain blocksworld) (:objects a b c d)
      (:init (arm-empty) {table}) (:goal (and (holding a) (arm-empty))))"""
    return Task(domain, parse_problem(text, domain))

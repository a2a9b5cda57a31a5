"""Childsnack: make sandwiches in the kitchen and serve them on trays; some children must not eat gluten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta

from liftq.domains import AtLeast, AtMost, Dice, Fact, Generator, literals
from liftq.domains.sampling.ipc23 import Ipc23Sets
from liftq.pddl.structures import Problem

PDDL = """\
(define (domain childsnack)
  (:requirements :strips :typing :negative-preconditions)
  (:types child bread-portion content-portion sandwich tray place - object)
  (:constants kitchen - place)
  (:predicates
    (at_kitchen_bread ?b - bread-portion)
    (at_kitchen_content ?c - content-portion)
    (at_kitchen_sandwich ?s - sandwich)
    (no_gluten_bread ?b - bread-portion)
    (no_gluten_content ?c - content-portion)
    (ontray ?s - sandwich ?t - tray)
    (no_gluten_sandwich ?s - sandwich)
    (allergic_gluten ?c - child)
    (not_allergic_gluten ?c - child)
    (served ?c - child)
    (waiting ?c - child ?p - place)
    (at ?t - tray ?p - place)
    (notexist ?s - sandwich))

  (:action make_sandwich_no_gluten
    :parameters (?s - sandwich ?b - bread-portion ?c - content-portion)
    :precondition (and (at_kitchen_bread ?b) (at_kitchen_content ?c) (no_gluten_bread ?b) (no_gluten_content ?c)
                       (notexist ?s))
    :effect (and (at_kitchen_sandwich ?s) (no_gluten_sandwich ?s)
                 (not (at_kitchen_bread ?b)) (not (at_kitchen_content ?c)) (not (notexist ?s))))

  (:action make_sandwich
    :parameters (?s - sandwich ?b - bread-portion ?c - content-portion)
    :precondition (and (at_kitchen_bread ?b) (at_kitchen_content ?c) (notexist ?s))
    :effect (and (at_kitchen_sandwich ?s)
                 (not (at_kitchen_bread ?b)) (not (at_kitchen_content ?c)) (not (notexist ?s))))

  (:action put_on_tray
    :parameters (?s - sandwich ?t - tray)
    :precondition (and (at_kitchen_sandwich ?s) (at ?t kitchen))
    :effect (and (ontray ?s ?t) (not (at_kitchen_sandwich ?s))))

  (:action serve_sandwich_no_gluten
    :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
    :precondition (and (allergic_gluten ?c) (ontray ?s ?t) (waiting ?c ?p) (no_gluten_sandwich ?s) (at ?t ?p))
    :effect (and (served ?c) (not (ontray ?s ?t))))

  (:action serve_sandwich
    :parameters (?s - sandwich ?c - child ?t - tray ?p - place)
    :precondition (and (not_allergic_gluten ?c) (waiting ?c ?p) (ontray ?s ?t) (at ?t ?p))
    :effect (and (served ?c) (not (ontray ?s ?t))))

  (:action move_tray
    :parameters (?t - tray ?p - place ?q - place)
    :precondition (and (at ?t ?p) (not (at ?t ?q)))
    :effect (and (at ?t ?q) (not (at ?t ?p)))))
"""

TABLES = ("table1", "table2", "table3")


@dataclass(frozen=True)
class Childsnack(Generator):
    children: Annotated[int, Meta(ge=1)]  # also the number of bread portions, and of content portions
    allergic_children: Annotated[int, Meta(ge=0), AtMost("children")]  # also of gluten-free portions of each kind
    trays: Annotated[int, Meta(ge=1)]
    sandwiches: Annotated[int, AtLeast("children")]

    pddl: ClassVar = PDDL
    formula: ClassVar = "3 * children + trays + sandwiches + 3"
    in_paper: ClassVar = True
    taught_sizes: ClassVar = (8, 38)
    ipc23: ClassVar = Ipc23Sets(
        easy={"children": (4, 10), "allergic_children": (0, 6), "trays": (1, 3), "sandwiches": (4, 15)},
        medium={"children": (15, 40), "allergic_children": (15, 25), "trays": (2, 5), "sandwiches": (15, 60)},
        hard={"children": (50, 300), "allergic_children": (50, 150), "trays": (4, 10), "sandwiches": (50, 450)},
        first_training=14,
    )

    @property
    def size(self) -> int:
        return 3 * self.children + self.trays + self.sandwiches + len(TABLES)

    @classmethod
    def of_size(cls, size: int, dice: Dice) -> Self | None:
        if size < 8:
            return None
        # With c children: size-3-4c ways to split the rest among sandwiches and trays, times c+1 allergic counts.
        weights = [(children + 1) * (size - 3 - 4 * children) for children in range(1, (size - 4) // 4 + 1)]
        children = 1 + dice.weighted(weights)
        allergic = dice.between(0, children)
        sandwiches = dice.between(children, size - 4 - 3 * children)
        return cls(children, allergic, size - 3 - 3 * children - sandwiches, sandwiches)

    @classmethod
    def optimum(cls, problem: Problem) -> int | None:
        """A child takes three steps: make a sandwich, put it on a tray, serve it. A tray with all of them has to come
        to each table once."""
        goals = literals(problem.goal, "served")
        facts: dict[str, set[Any]] = {}
        for atom in problem.init:
            facts.setdefault(atom.predicate, set()).add(atom.arguments)

        def count(first: str, second: str | None = None) -> int:
            return len(facts.get(first, set()) & facts.get(second or first, set()))

        table: dict[str, str] = dict(facts.get("waiting", ()))
        if goals is None or not goals or any(name in facts for name in ("served", "ontray", "at_kitchen_sandwich")):
            return None
        children = {child for (child,) in goals}
        allergic = sum((child,) in facts.get("allergic_gluten", ()) for child in children)
        enough = all(
            count(f"at_kitchen_{portion}") >= len(children)
            and count(f"at_kitchen_{portion}", f"no_gluten_{portion}") >= allergic
            for portion in ("bread", "content")
        )
        in_kitchen = "at" in facts and all(place == "kitchen" for _, place in facts["at"])
        if not enough or not in_kitchen or count("notexist") < len(children) or not children <= table.keys():
            return None
        return 3 * len(children) + len({table[child] for child in children} - {"kitchen"})

    def sample(self, dice: Dice) -> Problem:
        objects = {
            "child": [f"child{number}" for number in range(1, self.children + 1)],
            "tray": [f"tray{number}" for number in range(1, self.trays + 1)],
            "sandwich": [f"sandw{number}" for number in range(1, self.sandwiches + 1)],
            "bread-portion": [f"bread{number}" for number in range(1, self.children + 1)],
            "content-portion": [f"content{number}" for number in range(1, self.children + 1)],
            "place": list(TABLES),
        }
        init: list[Fact] = [("at", tray, "kitchen") for tray in objects["tray"]]
        init += [("notexist", sandwich) for sandwich in objects["sandwich"]]
        for portion in ("bread", "content"):
            portions = objects[f"{portion}-portion"]
            init += [(f"at_kitchen_{portion}", each) for each in portions]
            init += [(f"no_gluten_{portion}", each) for each in dice.subset(portions, self.allergic_children)]
        allergic = set(dice.subset(objects["child"], self.allergic_children))
        for child in objects["child"]:
            init.append(("allergic_gluten" if child in allergic else "not_allergic_gluten", child))
            init.append(("waiting", child, dice.one_of(TABLES)))
        return self.problem(objects, init, [("served", child) for child in objects["child"]])

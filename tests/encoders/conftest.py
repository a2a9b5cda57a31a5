"""A yard of two cars and a truck: supertypes, a constant, twins, and atoms and goals of every kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from liftq.encoders import Graph, Relation
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem

DOMAIN = """(define (domain yard)
  (:types place vehicle - object car truck - vehicle)
  (:constants depot - place)
  (:predicates (at ?v - vehicle ?p - place) (road ?p ?q - place) (open) (broken ?v - vehicle)
    (meet ?v ?w - vehicle ?p - place))
  (:action drive :parameters (?v - vehicle ?p ?q - place) :precondition (and (open) (at ?v ?p) (road ?p ?q))
    :effect (and (not (at ?v ?p)) (at ?v ?q)))
  (:action close :parameters () :precondition (open) :effect (not (open))))"""
PROBLEM = """(define (problem two-cars) (:domain yard) (:objects red blue - car big - truck town - place)
  (:init (open) (at red depot) (at blue depot) (at big town) (road depot town) (broken big)
    (meet red blue town) (meet blue red town))
  (:goal (and (open) (at red town) (at blue town) (not (at big town)) (not (at big depot)))))"""


@pytest.fixture
def yard() -> Task:
    domain = parse_domain(DOMAIN)
    return Task(domain, parse_problem(PROBLEM, domain))


class ReadGraph:
    """One choice of a graph, its nodes called by name."""

    def __init__(self, graph: Graph, relations: Sequence[Relation], names: Sequence[str], choice: int = 0) -> None:
        self.graph, self.choice, self.first_node = graph, choice, int(graph.first_node[choice])
        self.relation = {relation.name: rows for relation, rows in zip(relations, graph.relations, strict=True)}
        self.names = list(names)  # of its nodes, in their order

    def rows(self, relation: str) -> list[tuple[str, ...]]:
        rows = self.relation[relation]
        nodes = rows.nodes[rows.first[self.choice] : rows.first[self.choice + 1]] - self.first_node
        return [tuple(self.names[node] for node in row) for row in nodes.tolist()]

    def counts(self, relation: str) -> list[list[float]]:
        rows = self.relation[relation]
        counts: list[list[float]] = rows.counts[rows.first[self.choice] : rows.first[self.choice + 1]].tolist()
        return counts

    def written(self, *, counted: bool = False) -> dict[str, list[str]]:
        """Each relation's rows as text, sorted; where asked for, with how often each position's message arrives."""
        found = {}
        for name in self.relation:
            rows = [" ".join(row) for row in self.rows(name)]
            if counted:
                pairs = zip(rows, self.counts(name), strict=True)
                rows = [f"{row} x {' '.join(f'{count:g}' for count in counts)}" for row, counts in pairs]
            if rows:
                found[name] = sorted(rows)
        return found

    def multiplicity(self) -> list[float]:
        part = slice(self.graph.first_node[self.choice], self.graph.first_node[self.choice + 1])
        multiplicity: list[float] = self.graph.multiplicity[part].tolist()
        return multiplicity

    def candidates(self) -> list[str]:
        part = slice(self.graph.first_candidate[self.choice], self.graph.first_candidate[self.choice + 1])
        return [self.names[node - self.first_node] for node in self.graph.candidate_node[part]]


@pytest.fixture
def read_graph() -> type[ReadGraph]:
    return ReadGraph

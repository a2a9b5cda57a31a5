"""What every encoder must do, whatever its graphs are."""

from __future__ import annotations

import numpy as np
import pytest

from liftq.domains import domain, domains
from liftq.encoders import ENCODERS, encoder
from liftq.engine.task import Task
from liftq.models import model
from liftq.problems.loading import load_domain

every_encoder = pytest.mark.parametrize("name", ENCODERS.names())


@every_encoder
@pytest.mark.parametrize("with_actions", [True, False])
def test_relations_are_those_of_the_graphs(name: str, with_actions: bool, yard: Task) -> None:
    made = encoder(name)(with_actions=with_actions)
    relations = made.relations(yard.domain)
    assert [relation.arity for relation in relations] == made.builder(yard.domain, yard).arity
    graph = made.encode([yard.choice(yard.initial_state)])
    assert [rows.nodes.shape[1] for rows in graph.relations] == [relation.arity for relation in relations]
    assert len({relation.name for relation in relations}) == len(relations)
    if made.labelled_edges:
        assert {relation.arity for relation in relations} <= {1, 2}
        assert all((rows.counts == 1).all() for rows in graph.relations)


@every_encoder
@pytest.mark.parametrize("compress", [True, False])
def test_candidates_are_those_of_the_choice(name: str, compress: bool, yard: Task) -> None:
    choices = [yard.choice(yard.initial_state, compress=compress)]
    choices.append(yard.choice(choices[0].successor(0), compress=compress))
    graph = encoder(name)().encode(choices)
    assert np.diff(graph.first_candidate).tolist() == [len(choice) for choice in choices]
    assert len(np.unique(graph.candidate_node)) == sum(map(len, choices))
    assert (graph.choice_of_node[graph.candidate_node] == graph.choice_of_candidate).all()
    assert (graph.multiplicity[graph.candidate_node] == 0).all()
    assert all((np.diff(rows.first) >= 0).all() and rows.first[-1] == len(rows.nodes) for rows in graph.relations)


@every_encoder
def test_state_values_need_no_candidates(name: str, yard: Task) -> None:
    choice = yard.choice(yard.initial_state)
    assert len(encoder(name)(with_actions=False).encode([choice]).candidate_node) == 0
    assert "orbits" not in vars(choice)  # nobody has looked for them


@every_encoder
@pytest.mark.parametrize("domain_name", domains())
def test_some_model_reads_its_graphs_in_every_domain(name: str, domain_name: str) -> None:
    kind = model(encoder(name).model)
    assert kind().layout(encoder(name)().relations(domain(domain_name).domain()), True).weights


@every_encoder
def test_candidates_of_another_task_are_refused(name: str, yard: Task) -> None:
    ferry = load_domain("ferry")
    other = Task(ferry.domain, next(ferry.instances(8)).problem)
    made = encoder(name)()
    builder = made.builder(yard.domain, yard)
    orbits = other.choice(other.initial_state).orbits
    with pytest.raises(ValueError, match="candidates of another task"):
        builder.append(yard.engine, yard.initial_state, True, orbits, builder.graph())
    with pytest.raises(ValueError, match="a graph of another builder"):
        foreign = made.builder(ferry.domain, other).graph()
        builder.append(yard.engine, yard.initial_state, True, None, foreign)

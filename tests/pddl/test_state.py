"""A state in a file of its own: the problem from there on, or an error that says where it is wrong."""

from __future__ import annotations

import pytest

from liftq.errors import PDDLError
from liftq.pddl import Atom, parse_domain, parse_problem, parse_state

DOMAIN = parse_domain("""(define (domain d) (:types place) (:predicates (at ?x - place) (next ?x ?y - place) (near ?x))
  (:functions (length ?x - place) (total-cost)) (:derived (near ?x) (at ?x))
  (:action go :parameters (?x ?y - place) :precondition (and (at ?x) (next ?x ?y))
   :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?x)))))""")
PROBLEM = parse_problem(
    """(define (problem p) (:domain d) (:objects a b c - place)
    (:init (at a) (next a b) (next b c) (= (length a) 2) (= (length b) 3)) (:goal (at c))
    (:metric minimize (total-cost)))""",
    DOMAIN,
)
AT_B = Atom("at", ("b",))


@pytest.mark.parametrize("text", ["(at b)", "(:init (at b))", "; now\n(AT B)\n", "( at b ) (= (length a) 2)"])
def test_atoms_alone_or_with_their_keyword(text: str) -> None:
    begun = parse_state(text, DOMAIN, PROBLEM)
    assert set(begun.init) == {AT_B, Atom("next", ("a", "b")), Atom("next", ("b", "c"))}
    assert (begun.values, begun.goal, begun.minimize_cost) == (PROBLEM.values, PROBLEM.goal, True)


def test_what_is_given_of_a_static_predicate_counts() -> None:
    begun = parse_state("(at b)\n(next b a)\n(= (length b) 7)", DOMAIN, PROBLEM)
    assert set(begun.init) == {AT_B, Atom("next", ("b", "a"))}
    assert dict(begun.values) == {Atom("length", ("a",)): 2, Atom("length", ("b",)): 7}


def test_in_an_empty_state_no_atom_that_changes_holds() -> None:
    for text in ("", "(:init)", "; nothing\n"):
        assert {atom.predicate for atom in parse_state(text, DOMAIN, PROBLEM).init} == {"next"}


MISTAKES = {
    "(at b)\n (att b)": "2:3: unknown predicate `att`\n  Did you mean `at`?",
    "(at b)\n(at z)": "2:5: unknown object `z`",
    "(at b c)": "1:1: `at` takes 1 argument, and 2 given",
    "(near b)": "1:1: `:init` has an atom of the derived predicate `near`",
    "(at b": "1:6: a parenthesis is never closed\n  Add the missing `)`.",
    "(at b))": "1:7: this parenthesis closes nothing\n  Remove the `)`.",
    "at b": "1:1: `at` outside of parentheses\n  An atom is a text such as `(on a b)`.",
    "(:init (at b)) (at c)": "1:16: text after `(:init ...)`\n  Put it inside.",
    "(define (problem p) (:init (at b)))": "1:1: a whole definition\n  Give the atoms of its `:init` alone.",
    "(at b) (not (at b))": "1:8: (at b) is both true and false",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_mistakes_are_shown_where_they_are(text: str) -> None:
    with pytest.raises(PDDLError) as error:
        parse_state(text, DOMAIN, PROBLEM, "now.state")
    assert str(error.value).startswith(f"now.state:{MISTAKES[text]}")

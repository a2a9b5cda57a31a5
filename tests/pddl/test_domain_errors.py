"""Every mistake and every unsupported construct in a domain is refused, at the right place and with a fix."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liftq.pddl import PDDLError, parse_domain

Refused = Callable[[Callable[[str], object], str, str], None]

WHOLE_TEXTS = [
    ("@", "the file is empty"),
    ("@hello", "begins with `(define (domain NAME)`"),
    ("@)", "not a PDDL definition"),
    ("@(define", "never closed"),
    ("(define@)", "the definition is empty"),
    ("(define (domain d)) @(", "text after the end"),
    ("(define (domain d)) @)", "text after the end"),
    ("(define @(domain))", "exactly one name"),
    ("(define @(domain a b))", "exactly one name"),
    ("(define @(domain (a)))", "exactly one name"),
    ("(define @(a))", "expected `(domain NAME)`"),
    ("(define @())", "expected `(domain NAME)`"),
    ("(define @(problem p) (:domain d))", "this is a problem, and a domain was expected"),
    ("(define (domain d) @word)", "outside every section"),
    ("(define (domain d) @(word))", "expected a section"),
    ("(define (domain d) @())", "expected a section"),
    ("(define (domain d) (@:predicate (p)))", "Did you mean `:predicates`?"),
    ("(define (domain d) (:types a) (@:types b))", "a second `:types` section"),
    ("(define (domain d)\n (:predicates (p)\n @(:action a :effect (p))", "opens inside `(:predicates` of line 2"),
    ("(define (domain d) (:predicates @(p", "never closed"),
    ("(define (domain d) (:types @\N{BULLET}))", "outside a comment"),
    ("; \N{BULLET}\n(define (domain d) (:types a@\x00))", "outside a comment"),
    (f"{'(define (domain d) (:predicates ' + '(' * 98}@{'(' * 100_000}", "nested over 100 deep"),
    ("(define (domain d))@" + ")" * 100_000, "text after the end"),
]

DOMAIN_SECTIONS = [
    # types, objects, predicates, functions
    ("@(:types a - b b - a)", "descends from itself"),
    ("(:types a @-)", "no type after `-`"),
    ("(:types a @--b)", "does not name a type"),
    ("(:types a - @?b)", "does not name a type"),
    ("(:types a - @(or b c))", "(either A B)"),
    ("(:types a - @(either))", "(either A B)"),
    ("(:types a - @(either (b)))", "(either A B)"),
    ("(:types @(a))", "a parenthesis among names"),
    ("(:types blocks) (:constants a - @block)", "Did you mean `blocks`?"),
    ("(:constants a - @block)", "Known types: object."),
    ("(:constants a @a)", "the object `a` is declared twice"),
    ("(:types s t) (:constants @a - (either s t))", "`either` type"),
    ("(:constants @:a)", "does not name an object"),
    ("(:predicates @p)", "expected a predicate, not `p`"),
    ("(:predicates @())", "a predicate without a name"),
    ("(:predicates @((p)))", "a predicate without a name"),
    ("(:predicates (@?p))", "does not name a predicate"),
    ("(:predicates (@and))", "word of PDDL"),
    ("(:predicates (@- ?x))", "word of PDDL"),
    ("(:predicates (p) (@p ?x))", "the predicate `p` is declared twice"),
    ("(:predicates (p @x))", "Variables begin with `?`"),
    ("(:predicates (p @?))", "Variables begin with `?`"),
    ("(:predicates (p ?x - @nothing))", "unknown type `nothing`"),
    ("(:functions (f) (@f ?x))", "the function `f` is declared twice"),
    ("(:functions (f) @- object)", "object fluents are not supported"),
    ("(:functions @f)", "expected a function, not `f`"),
    # sections that are not supported
    ("(@:durative-action a)", "durative actions are not supported\n  Write them as plain `:action`s, or take"),
    ("(@:process p)", "processes and events are not supported"),
    ("(@:event e)", "processes and events are not supported"),
    ("(@:task go :parameters ())", "hierarchical tasks are not supported\n  Write goals and plain `:action`s, or take"),
    ("(@:method m :task (go))", "hierarchical tasks are not supported"),
    ("(:action a @:duration (= ?duration 1) :effect ())", "durative actions are not supported"),
    ("(:action a @:observe (p))", "uncertain facts, effects and observations are not supported"),
    ("(@:axiom)", "Write `(:derived"),
    ("(@:constraints (and))", "constraints are not supported"),
    # actions
    ("(@:action)", "an action without a name"),
    ("(@:action :effect (p))", "an action without a name"),
    ("(:action @?a :effect ())", "does not name an action"),
    ("(:action @a)", "has no effect"),
    ("(:action a :effect ()) (:action @a :effect ())", "the action `a` is declared twice"),
    ("(:action a @:preconditions () :effect ())", "Did you mean `:precondition`?"),
    ("(:action a :effect () @:effect ())", "a second `:effect`"),
    ("(:action a @:precondition :effect ())", "nothing in parentheses after `:precondition`"),
    ("(:action a @:effect)", "nothing in parentheses after `:effect`"),
    ("(:action a @() :effect ())", "a keyword was expected"),
    ("(:action a :parameters (?x @?x) :effect ())", "stands here twice"),
    ("(:action a :parameters (?x - @t) :effect ())", "unknown type `t`"),
]

VOCABULARY = (
    "(:types car truck - vehicle place) (:constants home - place)"
    "(:predicates (parked ?v - vehicle ?p - place) (empty ?v - vehicle) (rain)) (:functions (far ?p - place)) "
)
CONDITIONS = [
    ("(and @rain)", "expected a condition, not `rain`"),
    ("(@snow)", "unknown predicate `snow`"),
    ("(@park ?c ?p)", "Did you mean `parked`?"),
    ("@((rain))", "begins without a name"),
    ("@(parked ?c)", "`parked` takes 2 arguments, and 1 given"),
    ("@(empty ?c ?c)", "`empty` takes 1 argument, and 2 given"),
    ("@(rain ?c)", "`rain` takes 0 arguments"),
    ("(parked ?c @?q)", "undeclared variable `?q`"),
    ("(parked ?c @hom)", "Did you mean `home`?"),
    ("@(not)", "exactly one formula"),
    ("@(not (rain) (rain))", "exactly one formula"),
    ("(not @rain)", "expected a condition, not `rain`"),
    ("@(imply (rain))", "`imply` takes exactly two formulas"),
    ("@(forall (?x))", "`forall` takes variables in parentheses and one formula"),
    ("@(exists (?x) (rain) (rain))", "`exists` takes variables in parentheses and one formula"),
    ("(exists (@x) (rain))", "Variables begin with `?`"),
    ("(exists (?x ?y @?x) (rain))", "stands here twice"),
    ("(or (rain) (forall (?x - @bus) (rain)))", "unknown type `bus`"),
    ("(or (exists (?x - car) (rain)) (empty @?x))", "undeclared variable `?x`"),
    ("@(= ?c)", "`=` takes 2 arguments"),
    ("(= ?c @?q)", "undeclared variable `?q`"),
    ("@(= (far ?p) 3)", "numeric fluents are not supported"),
    ("@(>= (far ?p) 3)", "numeric fluents are not supported"),
    ("@(preference x (rain))", "preferences are not supported"),
    ("(empty @(driver ?c))", "object fluents are not supported"),
]
EFFECTS = [
    ("(and @rain)", "expected an effect, not `rain`"),
    ("(@snow)", "unknown predicate `snow`"),
    ("(@= ?c ?c)", "compares in preconditions and goals only"),
    ("(not (@= ?c ?c))", "compares in preconditions and goals only"),
    ("@(parked ?c)", "takes 2 arguments"),
    ("@(when (rain))", "`when` takes a condition and an effect"),
    ("(when (@snow) (rain))", "unknown predicate `snow`"),
    ("(when (rain) (@snow))", "unknown predicate `snow`"),
    ("(when (rain) @(increase (total-cost) 1))", "costs that depend on the state are not supported"),
    ("(forall (?x) @(increase (total-cost) 1))", "costs that depend on the state are not supported"),
    ("(and @(not))", "`not` takes exactly one atom"),
    ("(@or (rain) (rain))", "unknown predicate `or`"),
    ("@(assign (far ?p) 3)", "numeric fluents are not supported"),
    ("@(oneof (rain) (empty ?c))", "uncertain facts, effects and observations are not supported"),
    ("@(probabilistic 0.5 (rain))", "a planner such as PRP"),
    ("@(decrease (total-cost) 3)", "numeric fluents are not supported"),
    ("@(increase (far ?p) 3)", "numeric fluents are not supported"),
    ("@(increase total-cost 3)", "numeric fluents are not supported"),
    ("@(increase (total-cost))", "numeric fluents are not supported"),
    ("(increase (total-cost) @-1)", "negative cost"),
    ("(increase (total-cost) @x)", "expected a number, not `x`"),
    ("(increase (total-cost) @1_0)", "expected a number"),
    ("(increase (total-cost) @1e999)", "above 2^53"),
    (f"(increase (total-cost) @{'9' * 10_000})", "above 2^53"),
    ("(increase (total-cost) @nan)", "expected a number"),
    ("(increase (total-cost) (@fur ?p))", "Did you mean `far`?"),
    ("(increase (total-cost) @(+ 1 2))", "numeric fluents are not supported"),
    ("(and (increase (total-cost) 1) @(increase (total-cost) 1))", "increased twice"),
]


@pytest.mark.parametrize(("marked", "says"), WHOLE_TEXTS, ids=range(len(WHOLE_TEXTS)))
def test_shape_of_the_text(refused: Refused, marked: str, says: str) -> None:
    refused(parse_domain, marked, says)


@pytest.mark.parametrize(("section", "says"), DOMAIN_SECTIONS)
def test_sections_of_a_domain(refused: Refused, section: str, says: str) -> None:
    refused(parse_domain, f"(define (domain d)\n\t{section})", says)


@pytest.mark.parametrize(("condition", "says"), CONDITIONS)
def test_conditions(refused: Refused, condition: str, says: str) -> None:
    action = f"(:action a :parameters (?c - car ?p - place)\n :precondition {condition} :effect ())"
    refused(parse_domain, f"(define (domain d) {VOCABULARY}\n{action})", says)


@pytest.mark.parametrize(("effect", "says"), EFFECTS, ids=range(len(EFFECTS)))
def test_effects(refused: Refused, effect: str, says: str) -> None:
    action = f"(:action a :parameters (?c - car ?p - place)\n :effect {effect})"
    refused(parse_domain, f"(define (domain d) {VOCABULARY}\n{action})", says)


AXIOMS = [
    ("@(:derived (idle ?c - car))", "`:derived` takes an atom and a condition"),
    ("@(:derived idle (rain))", "`:derived` takes an atom and a condition"),
    ("(:derived (@sleepy) (rain))", "unknown predicate `sleepy`"),
    ("(:derived @(idle) (rain))", "`idle` takes 1 argument, and 0 given"),
    ("(:derived (idle @home) (rain))", "Variables begin with `?`"),
    ("(:derived (idle ?c) (empty @?v))", "undeclared variable `?v`"),
    ("@(:derived (idle ?c - car) (not (idle ?c)))", "depends on the negation of itself"),
    ("(:derived (idle ?c - car) (rain)) (:action a :effect (and (rain) @(idle home)))", "derived predicate `idle`"),
    ("(:derived (idle ?c - car) (rain)) (:action a :effect (not @(idle home)))", "derived predicate `idle`"),
]


@pytest.mark.parametrize(("sections", "says"), AXIOMS)
def test_axioms(refused: Refused, sections: str, says: str) -> None:
    vocabulary = VOCABULARY.replace("(rain))", "(rain) (idle ?x))")
    refused(parse_domain, f"(define (domain d) {vocabulary}\n{sections})", says)


def test_a_circle_of_axioms_with_a_negation(refused: Refused) -> None:
    circle = "(:predicates (p) (q) (r)) (:derived (p) (q)) @(:derived (q) (and (r) (not (p))))"
    refused(parse_domain, f"(define (domain d) {circle})", "depends on the negation of itself")


def test_many_known_names_are_cut_short(refused: Refused) -> None:
    predicates = " ".join(f"(abc{number})" for number in range(20))
    refused(parse_domain, f"(define (domain d) (:predicates {predicates}) (:action a :effect (@zzz)))", "and 12 more")


def test_lines_end_as_the_file_ends_them() -> None:
    for end in ("\n", "\r\n", "\r"):
        with pytest.raises(PDDLError) as caught:
            parse_domain(f"; a comment{end}(define (domain d){end}  (:predicates (and)))", "d.pddl")
        assert str(caught.value).startswith("d.pddl:3:17: ")

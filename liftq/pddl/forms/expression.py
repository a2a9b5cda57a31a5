"""Expresses a problem in another domain, if possible.

Names, actions and arguments are matched loosely; then every action must mean the same in all states of the problem.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from liftq.pddl.forms.facts import Facts, Members
from liftq.pddl.forms.form import Form, Misfit
from liftq.pddl.forms.kinds import members_of
from liftq.pddl.forms.meaning import meaning
from liftq.pddl.forms.rules import Kind, Rule, changing, has_rules, rules_of
from liftq.pddl.forms.skeleton import Correspondence, correspondences
from liftq.pddl.forms.statement import Statement
from liftq.pddl.structure_graph import Vertex
from liftq.pddl.structures import Domain
from liftq.pddl.trees import literals

OTHER = "other "  # before the sort of the other domain's kinds


def expressed(facts: Facts, other: Domain, seen: Collection[Vertex]) -> Form:
    """The problem of these facts, expressed in the other domain. `seen`: the other domain's symbols that a policy sees.
    Raises Misfit with the reason if there is no such form; the reason is empty if no action matches."""
    if not (has_rules(facts.domain) and has_rules(other)):
        raise Misfit
    return _Expression(facts, other, seen).form()


class _Expression:
    def __init__(self, facts: Facts, other: Domain, seen: Collection[Vertex]) -> None:
        self.facts, self.other, self.rules, self.seen = facts, other, rules_of(other), seen

    def form(self) -> Form:
        """A form whose actions mean the same, or else one whose actions delete more."""
        forms: list[Form] = []
        reasons = []
        for matched in self._correspondences():
            fitting = []
            for correspondence in matched:
                try:
                    fitting.append(self._form(correspondence))
                except Misfit as misfit:
                    reasons.append(str(misfit))
            if len(fitting) > 1:
                raise Misfit("it fits in more than one way")
            forms += fitting
            if fitting and not fitting[0].stricter:
                break
        if not forms:
            raise Misfit(*reasons[:1])
        return min(forms, key=lambda form: bool(form.stricter))

    def _correspondences(self) -> Iterator[list[Correspondence]]:
        for theirs in dict.fromkeys((self.facts.rules, tuple(self._shortened()))):
            yield from correspondences(self.rules, theirs, self.seen)

    def _shortened(self) -> Iterator[Rule]:
        """The domain's rules, without those that never apply and without conditions that always hold."""
        for rule in self.facts.rules:
            admitted = self.facts.admitted(rule)
            if all(admitted.values()):
                yield replace(rule, holds=frozenset(a for a in rule.holds if not self.facts.always(a, admitted)))

    def _form(self, correspondence: Correspondence) -> Form:
        members = members_of(self._kinds(), self.rules, self.facts, correspondence)
        stricter = self._difference(correspondence, members)
        statement = Statement(self.facts, self.other, self.rules, correspondence, members)
        for name in statement.unsaid:
            if ("predicate", name) in self.seen:
                raise Misfit(f"its predicate {name} has no counterpart")
        return statement.form(stricter)

    def _kinds(self) -> list[Kind]:
        types = [("type", each.name) for each in self.other.types]
        unary = [("predicate", predicate.name) for predicate in self.other.predicates if len(predicate.parameters) == 1]
        fluents = changing(self.rules)
        unary = [(sort, name) for sort, name in unary if name not in fluents]
        return [*types, *unary, *{kind: None for rule in self.rules for _, kind in rule.kinds | rule.not_kinds}]

    def _difference(self, correspondence: Correspondence, members: Members) -> str:
        """What else the other domain's actions delete. Raises Misfit if they differ in anything else."""
        facts = self.facts.with_members({(OTHER + sort, name): each for (sort, name), each in members.items()})
        own = {rule.name: rule for rule in self.facts.rules}
        more = []
        for rule in self.rules:
            one = meaning(_translated(rule, own[correspondence.rules[rule.name]], correspondence), facts)
            two = meaning(own[correspondence.rules[rule.name]], self.facts)
            extra = one.deletes - two.deletes
            if difference := replace(one, deletes=one.deletes - extra).unlike(two):
                raise Misfit(f"its action {rule.name} {difference}")
            if any(atom.predicate in self._denied() for atom in extra):
                raise Misfit(f"its action {rule.name} {one.unlike(two)}")
            more += [f"{rule.name} deletes {atom}" for atom in sorted(extra) if not one.is_dead]
        return ", ".join(more)

    def _denied(self) -> set[str]:
        """Predicates whose atoms some condition or goal requires to be false."""
        goals = {literal.atom.predicate for literal in literals(self.facts.problem.goal) if not literal.positive}
        return goals.union(atom.predicate for rule in self.facts.rules for atom in rule.fails)


def _translated(rule: Rule, like: Rule, correspondence: Correspondence) -> Rule:
    """With the names of another rule."""
    terms = correspondence.variables[rule.name]

    def kinds(own: frozenset[tuple[str, Kind]]) -> frozenset[tuple[str, Kind]]:
        return frozenset((terms[variable], (OTHER + sort, name)) for variable, (sort, name) in own)

    holds, fails, adds, deletes = (
        frozenset(correspondence.atom(rule.name, atom) for atom in atoms)
        for atoms in (rule.holds, rule.fails, rule.adds, rule.deletes)
    )
    distinct = frozenset(frozenset(terms[each] for each in pair) for pair in rule.distinct)
    return Rule(
        like.name, like.variables, (), kinds(rule.kinds), kinds(rule.not_kinds), holds, fails, distinct, adds, deletes
    )

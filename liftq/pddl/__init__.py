"""Read PDDL into values (`read_domain`, `read_problem`) and write it (`write_domain`, `write_problem`)."""

from liftq.errors import InputError, PDDLError
from liftq.pddl.domain_reader import parse_domain, read_domain
from liftq.pddl.problem_reader import DomainMismatchWarning, parse_problem, parse_state, read_problem, read_state
from liftq.pddl.structures import (
    Atom,
    Domain,
    Literal,
    Number,
    Object,
    Parameter,
    Predicate,
    Problem,
    Schema,
    Type,
)
from liftq.pddl.writer import write_domain, write_problem

__all__ = [
    "Atom",
    "Domain",
    "DomainMismatchWarning",
    "InputError",
    "Literal",
    "Number",
    "Object",
    "PDDLError",
    "Parameter",
    "Predicate",
    "Problem",
    "Schema",
    "Type",
    "parse_domain",
    "parse_problem",
    "parse_state",
    "read_domain",
    "read_problem",
    "read_state",
    "write_domain",
    "write_problem",
]

"""No file makes liftq run code that its user has not named: neither a policy nor a corpus nor a recipe."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from liftq.encoders import ENCODERS
from liftq.encoders.relational import Relational
from liftq.errors import InputError
from liftq.models.rgnn import RGNN
from liftq.parts.code import TRUSTED, load, trust
from liftq.policies.policy_file import PolicyFile, read_policy_file, save_policy
from liftq.problems.loading import load_domain
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.corpus import Corpus, compress
from liftq.training.recipes.recipe import read_recipe
from tests.command_line import Liftq
from tests.problems.lights import LIGHTS

MARK = "import pathlib; pathlib.Path('ran').touch()\n"
STRANGE = """
from dataclasses import dataclass
from liftq.domains.ferry import Ferry
from liftq.encoders.relational import Relational

@dataclass(frozen=True)
class Encoder(Relational): ...

@dataclass(frozen=True)
class Domain(Ferry): ...
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where modules can be imported that leave a file `ran` when they are."""
    (tmp_path / "strange.py").write_text(MARK + STRANGE)
    (tmp_path / "lights.py").write_text(LIGHTS.replace("PDDL =", f"{MARK}PDDL =", 1))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("strange", None)


def policy_of_a_strange_encoder(file: Path) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(TRUSTED, "strange")
        encoder = ENCODERS.part("strange:Encoder")()
    model = RGNN(2, 1)
    domain = load_domain("ferry").domain
    shapes = model.layout(encoder.relations(domain), with_actions=True).shapes
    save_policy(file, PolicyFile(domain, encoder, model, {name: np.zeros(s, np.float32) for name, s in shapes.items()}))
    del sys.modules["strange"]
    Path("ran").unlink()
    return file


def corpus_of_a_strange_domain(file: Path) -> Path:
    known = bundled_corpus("ferry")
    header = json.dumps({**json.loads(known.header.line()), "domain": "strange:Domain"})
    compress(file, [header, *(attempt.line() for attempt in known.attempts[:5])])
    return file


def recipe_of_a_python_file(file: Path) -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text('domain = "lights.py"\n[encoder]\nname = "strange:Encoder"')
    return file


def test_a_policy_names_no_code(folder: Path) -> None:
    policy = policy_of_a_strange_encoder(folder / "policy.safetensors")
    with pytest.raises(InputError, match=r"(?s)policy.safetensors: strange:Encoder is code.*add --trust strange\."):
        read_policy_file(policy)
    assert not (folder / "ran").exists()
    trust("strange")
    assert type(read_policy_file(policy).encoder).__module__ == "strange"


def test_a_corpus_names_no_code(folder: Path) -> None:
    corpus = Corpus.read(corpus_of_a_strange_domain(folder / "corpus.jsonl.zst"))
    for read in (lambda: corpus.domain, lambda: next(corpus.tasks())):
        with pytest.raises(InputError, match="strange:Domain is code"):
            read()
    assert not (folder / "ran").exists()
    trust("strange:Domain")
    assert corpus.domain.name == "ferry"


def test_a_recipe_names_no_code(folder: Path) -> None:
    recipe = recipe_of_a_python_file(folder / "recipe.toml")
    with pytest.raises(InputError, match="strange:Encoder is code"):
        read_recipe(recipe)
    with pytest.raises(InputError, match=r"lights.py is code.*\n.*--trust .*lights\.py"):
        load_domain("lights.py")
    assert not (folder / "ran").exists()
    trust("lights.py", "strange")
    assert load_domain(read_recipe(recipe).domain).name == "lights"


def test_the_run_that_an_evaluation_leaves_out_names_no_code(folder: Path, liftq: Liftq) -> None:
    (folder / "run").mkdir()
    (folder / "run" / "recipe.toml").write_text('domain = "lights.py"')
    corpus_of_a_strange_domain(folder / "run" / "corpus.jsonl.zst")
    called = liftq("evaluate", "scaling", "gripper", "--without", "run", "--sizes", "2-2")
    assert called.code == 2 and "is code that is not installed" in called.errors
    assert not (folder / "ran").exists()


def test_what_the_user_names_may_run(folder: Path, liftq: Liftq) -> None:
    assert liftq("generate", "lights.py", "--size", "3", "--count", "1", "--out", "problems").code == 0
    policy_of_a_strange_encoder(folder / "policy.safetensors")
    files = ("problems/domain.pddl", "problems/p01.pddl", "--policy", "policy.safetensors")
    assert "--trust strange" in liftq("solve", *files).errors
    assert "--trust strange" not in liftq("solve", *files, "--trust", "strange").errors


def test_trust_in_a_package_includes_its_modules(folder: Path) -> None:
    package = folder / "garden"
    package.mkdir()
    (package / "encoder.py").write_text(STRANGE)
    trust("gard", "garden.encoders")
    with pytest.raises(InputError, match=r"--trust garden\.encoder"):
        load("garden.encoder:Encoder")
    trust("garden")
    assert load("garden.encoder:Encoder").__name__ == "Encoder"


def test_imported_code_is_trusted() -> None:
    assert ENCODERS.part("liftq.encoders.relational:Relational") is Relational


@pytest.mark.parametrize("name", ["policy.safetensors", "ferry", "seq-opt-lmcut", "runs/ferry", "astar(lmcut())"])
def test_other_names_are_trusted_with_nothing(name: str, folder: Path, liftq: Liftq) -> None:
    liftq("solve", "nowhere", "nowhere", "--policy", name)
    with pytest.raises(InputError, match="is code"):
        load("strange:Encoder")

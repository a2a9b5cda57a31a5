import re
from itertools import islice
from pathlib import Path

import pytest

from liftq.compute.worker import Worker
from liftq.errors import InputError
from liftq.parts.code import trust
from liftq.problems.folder import ProblemFolder
from liftq.problems.generated import Generated
from liftq.problems.loading import load_domain
from tests.problems.lights import LIGHTS, fingerprints


@pytest.fixture
def lights(tmp_path: Path) -> Path:
    file = tmp_path / "lights.py"
    file.write_text(LIGHTS)
    trust(str(file))
    return file


def test_bundled_names() -> None:
    source = load_domain("ferry")
    assert isinstance(source, Generated) and source.name == "ferry" and source.domain.name == "ferry"
    assert "(define (domain ferry)" in source.pddl


def test_folders(tmp_path: Path) -> None:
    assert isinstance(load_domain(tmp_path), ProblemFolder)
    assert isinstance(load_domain(str(tmp_path)), ProblemFolder)


def test_python_files(lights: Path) -> None:
    source = load_domain(lights)
    assert source.name == "lights" and source.domain.name == "lights"
    assert len(list(source.instances(3))) == 7  # of 8, one is solved at the start
    assert [each.problem.size for each in islice(source.instances(30), 2)] == [30, 30]


def test_other_processes_load_the_file_again(lights: Path) -> None:
    source = load_domain(lights)
    worker = Worker()
    try:
        assert worker.call(fingerprints, source) == fingerprints(source)
    finally:
        worker.end()


def test_the_example_of_the_manual(tmp_path: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "domains.md").read_text()
    example = next(block for block in re.findall(r"```python\n(.*?)```", manual, re.DOTALL) if "Generator" in block)
    (tmp_path / "lights.py").write_text(example)
    trust(str(tmp_path / "lights.py"))
    assert len(list(load_domain(tmp_path / "lights.py").instances(3))) == 7


def test_dotted_names(lights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = lights.parent / "my_domains"
    package.mkdir()
    lights.rename(package / "lights.py")
    monkeypatch.syspath_prepend(lights.parent)
    trust("my_domains.lights")
    assert load_domain("my_domains.lights").name == "lights"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("fery", "no domain `fery`\n  Did you mean ferry"),
        ("./nowhere", "neither a folder nor a Python file"),
        ("nowhere.py", "there is no such file"),
        ("no_such_package.module", "No module named 'no_such_package'"),
    ],
)
def test_domains_that_cannot_be_loaded_are_rejected(name: str, message: str) -> None:
    trust(name)
    with pytest.raises(InputError, match=message):
        load_domain(name)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("class Lights(Generator)", "class Lights", "0 generators"),
        ("    pddl: ClassVar = PDDL\n", "", "has no pddl"),
        ("def of_size", "def with_size", "has no of_size"),
        ("@dataclass(frozen=True)\n", "", "is not a dataclass"),
        ("return self.lamps", "return 7", "gave Lights.* for size 1"),
        ("range(1, self.lamps + 1)", "range(self.lamps + 1)", "drew a wrong problem"),
        ('("on", lamp) for', '("burning", lamp) for', "does not fit its domain.*burning"),
        ("size >= 1", "size >= 1000", "has no problems of size 1 to 200"),
        ("(:predicates", "(:predicate", "predicate"),
        ("PDDL = ", "PDDL = 1 / 0 or ", "ZeroDivisionError while it was loaded"),
        ("PDDL = ", "import no_such_module; PDDL = ", "No module named 'no_such_module'"),
        ("class Lights(Generator)", "class Other(Generator): ...\n\nclass Lights(Generator)", "2 generators"),
    ],
)
def test_generators_with_a_mistake_are_refused(lights: Path, old: str, new: str, message: str) -> None:
    assert old in LIGHTS
    lights.write_text(LIGHTS.replace(old, new))
    with pytest.raises(InputError, match=f"(?s){message}"):
        load_domain(lights)

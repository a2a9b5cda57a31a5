"""Damages good corpora, results and recipes, and gives hostile commands: no traceback, no hang, no flood of memory.

Each case runs in a process of its own, forked from one that has liftq loaded, with 10 seconds of processor time and
counted memory. Every case comes from the seed, so that a bad one can be had again with --only.

    python benchmarks/fuzz.py [--files 5000] [--commands 500] [--trainings 100] [--seed 0] [--jobs 2] [--only corpus:17]
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import zstandard
from damage import damaged, with_noise

from liftq.__main__ import main as liftq
from liftq.commands.exit_codes import ExitCode
from liftq.domains import domain
from liftq.errors import InputError
from liftq.evaluation.result import Results
from liftq.pddl.writer import write_problem
from liftq.problems.generated import Generated
from liftq.reports import make_document
from liftq.reports.page.render import write_html, write_markdown
from liftq.teaching.corpora import FOLDER as CORPORA
from liftq.teaching.corpus import Corpus
from liftq.teaching.lesson import lessons
from liftq.training.recipes.recipe import Recipe, read_recipe

REPOSITORY = Path(__file__).parents[1]
CPU_SECONDS, WALL_SECONDS, MOST_BYTES = 10, 120, 2 * 2**30
LINES = 8  # of a file that is damaged
BUG = 99  # exit code of a reader that raised anything but InputError


@cache
def good_corpora() -> list[list[bytes]]:
    """Header and a few lines of each: whole ones take longer to unpack than to read."""
    dice, found = random.Random(0), []
    for path in sorted(CORPORA.glob("*.jsonl.zst")):
        header, *lines = zstandard.ZstdDecompressor().decompress(path.read_bytes()).splitlines()
        found.append([header, *dice.sample(lines, 10 * LINES)])
    return found


@cache
def good_results() -> list[list[bytes]]:
    return [path.read_bytes().splitlines() for path in sorted((REPOSITORY / "results").rglob("*.jsonl"))]


def corpus(dice: random.Random, folder: Path) -> Callable[[], None]:
    path = folder / "corpus.jsonl.zst"
    header, *lines = dice.choice(good_corpora())
    text = b"\n".join([header, *dice.sample(lines, LINES)])
    packed = zstandard.ZstdCompressor(1).compress(damaged(text, dice) + b"\n")
    path.write_bytes(with_noise(packed, dice) if dice.random() < 0.1 else packed)

    def read() -> None:
        for _ in lessons(Corpus.read(path).tasks()):
            pass

    return read


def results(dice: random.Random, folder: Path) -> Callable[[], None]:
    path = folder / "results.jsonl"
    lines = dice.choice(good_results())
    text = b"\n".join([lines[0], *dice.sample(lines, min(LINES, len(lines)))])
    path.write_bytes(damaged(text, dice))
    return lambda: _write(Results.read([path]))


def _write(found: Results) -> None:
    """Without the files for papers, which take seconds."""
    document = make_document(found, "Fuzz")
    write_html(document), write_markdown(document)


def recipe(dice: random.Random, folder: Path) -> Callable[[], None]:
    path = folder / "recipe.toml"
    path.write_bytes(damaged(dice.choice(RECIPES).encode(), dice))
    return lambda: void(read_recipe(path))


def void(_: object) -> None:
    pass


RECIPES = [
    Recipe("ferry").dump(),
    'domain = "ferry"\nobjectives = ["q_heuristic", "q_value"]\nseeds = 3\nepochs = 100\nbatch_size = 16\nclip = 0.1\n'
    'learning_rate = 0.001\nlayers = 30\nwidth = 32\ncorpus = ""\nfar_seconds = 60.0\ngoal_split = true\n',
]


def command(dice: random.Random, folder: Path) -> Callable[[], None]:
    return _command(dice, folder, COMMANDS)


def training(dice: random.Random, folder: Path) -> Callable[[], None]:
    return _command(dice, folder, TRAININGS)


def _command(dice: random.Random, folder: Path, commands: list[str]) -> Callable[[], None]:
    """A command as it should be, with some of its words replaced, dropped or repeated."""
    prepare(folder)
    words = dice.choice(commands).split()
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(1, len(words) + 1)
        new = dice.choice([*WORDS, *(path.name for path in folder.iterdir())])
        words = dice.choice([[*words[:at], new, *words[at + 1 :]], [*words[:at], *words[at + 1 :]], [*words[:at], new]])
    words += dice.choice(["", "", "--help", "--debug", "--json"]).split()

    def run() -> None:
        os.chdir(folder)
        os.environ.pop("LIFTQ_DEBUG", None)
        sys.argv = ["liftq", *(word for word in words if word != "--debug")]
        liftq()

    return run


COMMANDS = """\
validate domain.pddl problem.pddl good.plan
solve domain.pddl problem.pddl --time-limit 1 --memory-limit 1G --plan out.plan
solve domain.pddl problem.pddl --policy ferry --step-limit 20 --time-limit 1 --fallback none --threads 1
show domain.pddl problem.pddl good.plan --policy ferry --time-limit 1 --out new.html
generate ferry --size 6 --count 3 --seed 1 --out new
generate gripper --set balls=3 --count 2 --out new
generate ferry --like ipc23-easy --out new
domains
teach ferry --sizes 3-4 --per-size 1 --time-limit 1 --memory-limit 500M --jobs 1 --out new.zst
teach . --sizes 5-7 --per-size 1 --time-limit 1 --out new.zst
evaluate scaling ferry --domain ferry --sizes 3-4 --out new.jsonl --seed 1
evaluate suite ferry --problems . --time-limit 1 --out new.jsonl
evaluate efficiency ferry --sizes 3-4 --per-size 1 --steps 2 --out new.jsonl
evaluate gaps . --out new.jsonl
report results.jsonl --out new --title x
zoo list
zoo show ferry
zoo verify ferry --sizes 4-5 --per-size 1""".splitlines()
TRAININGS = """\
train gripper --epochs 1 --seeds 1 --layers 1 --width 2 --per-size 1 --final-per-size 0 --far-seconds 0 --out new
train gripper --objective q_value --corpus bytes.zst --epochs 1 --largest-size 4 --device cpu --out new
train . --recipe recipe.toml --out new
learn . --minutes 0.01 --test-seconds 1 --device cpu --jobs 1 --out new
show domain.pddl problem.pddl --time-limit 1 --out new.html
show domain.pddl problem.pddl good.plan --policy ferry --time-limit 1 --out new.html""".splitlines()
WORDS = [
    "", ".", "/", "/dev/null", "/dev/zero", "/dev/full", "/proc/self/mem", "missing", "-1", "0", "1e308", "nan", "inf",
    "-inf", "1" + "0" * 20, "1" + "0" * 400, "9" * 5000, "6-5", "0-9999", "x" * 300, "\x1b[2J", "ä", "\udcff", "٣",
    "--", "--out", "--size", "--count", "--seed", "--domain", "--policy", "json:loads", "os.path", "balls=9" + "9" * 30,
    "{}", "astar(", "lama", "--step-limit", "--time-limit", "--memory-limit", "999999999T", "../..", "~", "%s%n",
]  # fmt: skip


def prepare(folder: Path) -> None:
    generator = domain("ferry")
    problem = next(Generated(generator).instances(6)).problem
    texts = {"domain.pddl": generator.pddl, "problem.pddl": write_problem(problem), "good.plan": "(sail loc1 loc2)\n"}
    texts |= {"deep.pddl": "(" * 10**5, "empty": "", "results.jsonl": '{"kind":"header"}\n', "random.py": "raise x"}
    texts |= {"recipe.toml": RECIPES[0]}
    texts |= {"huge.pddl": texts["problem.pddl"].replace("(:init", "(:init " + "(empty-ferry) " * 10**5)}
    for name, text in texts.items():
        (folder / name).write_text(text)
    (folder / "bytes.zst").write_bytes(bytes(range(256)))


Case = Callable[[random.Random, Path], Callable[[], None]]
KINDS: dict[str, Case] = {
    "corpus": corpus, "results": results, "recipe": recipe, "command": command, "training": training
}  # fmt: skip


def run_case(name: str, show: bool = False) -> str:
    """How the case ended: in order, bad input, or what must not be."""
    kind = name.partition(":")[0]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "case"
        folder.mkdir()
        child = os.fork()
        if child == 0:
            _child(KINDS[kind], random.Random(name), folder, None if show else Path(scratch) / "output")
        started, status = time.monotonic(), 0
        while (found := os.wait4(child, os.WNOHANG))[0] == 0:
            if time.monotonic() - started > WALL_SECONDS:
                os.kill(child, 9)
            time.sleep(0.002)
        _, status, usage = found
        output = Path(scratch) / "output"
        said = output.read_bytes() if output.exists() else b""
    ending = _verdict(status, usage, said)
    return "still at work" if ending == "HANG" and kind == "training" else ending  # which may take days


def _child(make: Case, dice: random.Random, folder: Path, out: Path | None) -> None:
    """Never returns."""
    code = BUG
    try:
        run = make(dice, folder)
        if out is not None:
            descriptor = os.open(out, os.O_WRONLY | os.O_CREAT)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(descriptor, 1)
            os.dup2(descriptor, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        run()
        code = 0
    except InputError:
        code = ExitCode.BAD_INPUT
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def _verdict(status: int, usage: resource.struct_rusage, said: bytes) -> str:
    if usage.ru_maxrss * 1024 > MOST_BYTES:
        return "FLOOD"
    if os.WIFSIGNALED(status):
        return "HANG" if os.WTERMSIG(status) in (9, 24) else "CRASH"
    code = os.WEXITSTATUS(status)
    if code in (BUG, ExitCode.BUG) or b"Traceback (most recent call last)" in said:
        return "TRACEBACK"
    return "done" if code == 0 else "bad input" if code == ExitCode.BAD_INPUT else f"exit {code}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for option, default in {"--files": 5000, "--commands": 500, "--trainings": 100, "--seed": 0, "--jobs": 2}.items():
        parser.add_argument(option, type=int, default=default)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--only", help="one case, such as corpus:0-17, with its output")
    options = parser.parse_args()
    if options.only:
        sys.exit(run_case(options.only, show=True))
    good_corpora(), good_results()  # once, before the first fork
    bad = 0
    for kind in options.kinds:
        count = {"command": options.commands, "training": options.trainings}.get(kind, options.files)
        names = [f"{kind}:{options.seed}-{number}" for number in range(count)]
        endings: Counter[str] = Counter()
        for name, ending in shared(names, options.jobs):
            endings[ending] += 1
            if ending.isupper():
                bad += 1
                print(f"{name}: {ending}", flush=True)
        print(f"{kind}: {count} cases: {dict(endings.most_common())}", flush=True)
    sys.exit(bool(bad))


def shared(names: list[str], jobs: int) -> Iterator[tuple[str, str]]:
    """By as many processes as asked for."""
    pipes = []
    for job in range(jobs):
        reading, writing = os.pipe()
        if os.fork() == 0:
            with os.fdopen(writing, "w") as pipe:
                for name in names[job::jobs]:
                    print(name, run_case(name), sep="\t", file=pipe, flush=True)
            os._exit(0)
        os.close(writing)
        pipes.append(os.fdopen(reading))
    for pipe in pipes:
        for line in pipe:
            name, _, ending = line.rstrip("\n").partition("\t")
            yield name, ending


if __name__ == "__main__":
    main()

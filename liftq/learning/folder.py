"""The folder of a learning: its settings, problems, plans, runs and, as soon as there is one, its best policy."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path

from liftq.errors import InputError
from liftq.files import OwnFolder, open_locked, read_bytes, write_atomically
from liftq.policies.policy_file import PolicyFile, read_policy_file

CURE = "Give another folder with --out, or the same settings as before."


@dataclass(frozen=True)
class Settings:
    source: str
    minutes: float
    seed: int
    own_plans: bool = True  # whether to learn from plans that the policy finds for problems beyond the teacher
    domain: str = ""  # file of a folder's domain, if not the nearest `domain.pddl`
    relaxed_plans: bool = True  # whether they are an input of the network


@dataclass(frozen=True)
class LearningFolder:
    path: Path

    @property
    def problems(self) -> Path:
        return self.path / "problems"

    @property
    def corpus(self) -> Path:
        return self.path / "corpus.jsonl.zst"

    @property
    def clock(self) -> Path:
        return self.path / "clock.json"

    @property
    def policy(self) -> Path:
        return self.path / "policy.safetensors"

    @property
    def results(self) -> Path:
        return self.path / "results.jsonl"

    @property
    def report(self) -> Path:
        return self.path / "report"

    def run(self, name: str) -> Path:
        return self.path / "runs" / name

    def locked(self) -> FileIO:
        """Until it is closed. Refuses a folder that `liftq learn` has not written."""
        OwnFolder(self.path, "learn").claim()
        return open_locked(self.path / "lock", "Another `liftq learn` is at work there: wait for it, or change --out.")

    def begin(self, settings: Settings) -> None:
        """Refuses to go on with other settings. Where none are kept, nothing has really begun."""
        OwnFolder(self.path, "learn").sweep()
        OwnFolder(self.problems, "learn").claim()
        if not self._settings_file.exists():
            return
        pairs = zip(asdict(self._settings()).items(), asdict(settings).items(), strict=True)
        lines = [f"\n  {name}: {old!r} there, {new!r} now" for (name, old), (_, new) in pairs if not _same(old, new)]
        if lines:
            raise InputError(f"{self.path}: begun with other settings{''.join(lines)}\n  {CURE}")

    def keep(self, settings: Settings) -> None:
        """As soon as there are problems: a source that has none may be mended, or exchanged for another."""
        write_atomically(self._settings_file, json.dumps(asdict(settings), indent=2) + "\n")

    def _settings(self) -> Settings:
        try:
            return Settings(**json.loads(read_bytes(self._settings_file)))
        except (ValueError, TypeError) as error:
            raise InputError(f"{self._settings_file}: not the settings of a learning: {error}\n  {CURE}") from error

    @property
    def _settings_file(self) -> Path:
        return self.path / "settings.json"

    def best_path(self, run: Path) -> Path | None:
        """Of a run's best policy, if it has one already; of one not validated in time if there is no other."""
        found = [path for path in sorted(run.glob("*.safetensors")) if not path.name.startswith("checkpoint")]
        waiting = max(run.glob("waiting/*.safetensors"), key=lambda path: path.stat().st_mtime, default=None)
        return max(found, key=lambda path: score(read_policy_file(path)), default=waiting)


def _same(old: object, new: object) -> bool:
    """However a path is written; shells like to add a slash."""
    return old == new or (
        isinstance(old, str) and isinstance(new, str) and os.path.abspath(old) == os.path.abspath(new)
    )


def score(policy: PolicyFile) -> tuple[float, float]:
    """In validation; shorter plans are better where as much is solved."""
    return policy.card.get("score", 0.0), -policy.card.get("plan_length", 0.0)

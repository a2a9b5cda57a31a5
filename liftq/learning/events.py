"""All that a `learn` run says while it works: the stage that begins, and then what each stage says itself."""

from __future__ import annotations

from liftq.evaluation.result import Learned, SuiteAttempt
from liftq.learning.budget import Stage
from liftq.learning.play import Played
from liftq.teaching.teach import Progress
from liftq.training.events import Begun, Epoch, Validated

Event = Stage | Progress | Played | Begun | Epoch | Validated | Learned | SuiteAttempt

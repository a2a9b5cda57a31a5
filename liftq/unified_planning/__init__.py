"""liftq as an engine of the Unified Planning library: importing this registers it as `liftq`."""

from __future__ import annotations

try:
    from unified_planning.environment import Environment, get_environment
except ImportError as error:
    raise ImportError("liftq.unified_planning needs Unified Planning: pip install 'liftq[up]'") from error

from liftq.unified_planning.engine import NAME, LiftqEngine, LiftqReplanner

__all__ = ["LiftqEngine", "LiftqReplanner", "register"]


def register(environment: Environment | None = None) -> None:
    """For environments other than the global one, which importing this module is enough for."""
    factory = (environment or get_environment()).factory
    if NAME not in factory.engines:
        factory.add_engine(NAME, LiftqEngine.__module__, LiftqEngine.__name__)
        factory.add_engine(f"replanner[{NAME}]", LiftqReplanner.__module__, LiftqReplanner.__name__)


register()

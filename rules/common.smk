# What all rules share: the checked configuration and the wildcards. Logic lives in tabia.app.plan.
from snakemake.exceptions import WorkflowError

from tabia.app.config import ConfigError
from tabia.app.native import check_native
from tabia.app.plan import Plan

check_native()
try:
    RUN = Plan.of(config)
except ConfigError as error:
    raise WorkflowError(str(error)) from None


wildcard_constraints:
    archive=r"[a-z0-9][a-z0-9_.-]*",
    source=r"[a-z0-9][a-z0-9_.-]*",
    shard=r"\d+",
    game=r"[a-z]+",
    bucket=r"\d+",
    filter=r"[a-z0-9]+",
    scenario=r"[123]",
    model=r"[a-z0-9_]+",
    seed=r"\d+",
    figure=r"[a-z0-9_]+",
    wide=r"[a-z0-9_]+",
    net=r"[a-z0-9_]+",
    bin=r"all|\d+-\d+",
    fold=r"\d+",
    phase=r"\d",
    candidate=r"[a-z0-9_.-]+",
    run=r"[a-z0-9][a-z0-9_.-]*",
    generation=r"\d+",
    pair=r"\d+-(\d+|[a-z][a-z0-9_.-]*)",

# tabia: game records in; tables, trained models and a report out. Contents page.
from snakemake.utils import min_version

min_version("9.27")


# With --configfile those files alone count: merged over the default they would inherit its keys.
if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


onstart:
    # Where starts are limited, by default to 100 a second, Snakemake 9.27 looks for new jobs once
    # a second for ever after each job that ended (snakemake#3744): half a core after some hundred
    # jobs. Without the limit it looks when a job ends. A limit that someone set is kept.
    starts = workflow.scheduler.job_rate_limiter
    if starts is not None and (starts.max_jobs, starts.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


container: "docker://python:3.11-bookworm"  # inert unless --sdm apptainer; see workflow/envs


report: "workflow/report/workflow.rst"


include: "rules/common.smk"


rule all:
    default_target: True
    input:
        "results/report.html",
        "results/report.zip",
        "results/tabia.duckdb",
        RUN.imitation.final_models(),


include: "rules/records.smk"
include: "rules/evaluation.smk"
include: "rules/imitation.smk"
include: "rules/search.smk"
include: "rules/report.smk"
include: "rules/sample.smk"


rule records:
    input:
        RUN.tables("records"),


rule evaluation:
    input:
        RUN.tables("evaluation"),
        RUN.wide_texts("evaluation"),


rule imitation:
    input:
        RUN.tables("imitation"),
        RUN.wide_texts("imitation"),
        RUN.imitation.final_models(),


rule search:
    input:
        RUN.tables("search"),


rule report:
    input:
        "results/report.html",
        "results/report.zip",

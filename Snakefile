# tabia: game records in; tables, trained models and a report out. Contents page.
from snakemake.utils import min_version

min_version("9.27")


# With --configfile those files alone count: merged over the default they would inherit its keys.
if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


container: "docker://python:3.11-bookworm"  # inert unless --sdm apptainer; see workflow/envs


report: "workflow/report/workflow.rst"


include: "rules/common.smk"


rule all:
    default_target: True
    input:
        "results/report.html",
        "results/report.zip",
        "results/tabia.duckdb",


include: "rules/records.smk"
include: "rules/evaluation.smk"
include: "rules/report.smk"
include: "rules/sample.smk"


rule records:
    input:
        RUN.tables("records"),


rule evaluation:
    input:
        RUN.tables("evaluation"),
        RUN.wide_texts("evaluation"),


rule report:
    input:
        "results/report.html",
        "results/report.zip",

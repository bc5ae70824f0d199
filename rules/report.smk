# Figures, pages and the database, out of result tables (docs/report.md).
# Lists are given as --option=files: an empty one would vanish, and the option take the next word.


rule report_figure:
    input:
        tables=lambda wc: RUN.figure_tables(wc.figure),
        predictions=lambda wc: RUN.figure_predictions(wc.figure),
        dataset=lambda wc: RUN.figure_dataset(wc.figure),
    output:
        figure=report(
            "results/figures/{figure}.json",
            category="figures",
            caption="../workflow/report/figure.rst",
        ),
        svg="results/figures/{figure}.svg",
    log:
        "results/logs/report_figure/{figure}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("report.figure", figure=wc.figure),
        tables=lambda wc, input: RUN.short(input.tables),
        more=lambda wc: RUN.figure_options(wc.figure),
    shell:
        "tabia report figure --spec {params.spec:q} --figure {output.figure} --svg {output.svg}"
        " --tables={params.tables:q} {params.more:q} 2> {log}"


rule report_wide:
    input:
        tables=lambda wc: RUN.wide_inputs(wc.wide),
    output:
        text="results/tables/wide/{wide}.md",
        layout="results/tables/wide/{wide}.json",
    log:
        "results/logs/report_wide/{wide}.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        spec=lambda wc: RUN.spec("report.wide", wide=wc.wide),
        tables=lambda wc, input: RUN.short(input.tables),
    shell:
        "tabia report wide --spec {params.spec:q} --tables={params.tables:q}"
        " --text {output.text} --layout {output.layout} 2> {log}"


rule report_pages:
    input:
        tables=RUN.tables(),
        wide=RUN.wide(),
        wide_texts=RUN.wide_texts(),
        figures=RUN.figures(),
        svgs=RUN.pictures(),
        texts=RUN.texts(),
    output:
        html="results/report.html",
        archive="results/report.zip",
    log:
        "results/logs/report_pages.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("report.pages"),
        tables=lambda wc, input: RUN.short(input.tables),
        figures=lambda wc, input: RUN.short(input.figures),
        wide=lambda wc, input: RUN.short(input.wide),
    shell:
        "tabia report pages --spec {params.spec:q} --html {output.html}"
        " --archive {output.archive} --tables={params.tables:q}"
        " --figures={params.figures:q} --wide={params.wide:q} 2> {log}"


rule report_database:
    input:
        tables=RUN.tables(),
        parquet=RUN.parquet(),
    output:
        database="results/tabia.duckdb",
    log:
        "results/logs/report_database.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("report.database"),
        tables=lambda wc, input: RUN.short(input.tables),
        parquet=lambda wc, input: RUN.short(input.parquet),
    shell:
        "tabia report database --spec {params.spec:q} --database {output.database}"
        " --tables={params.tables:q} --parquet={params.parquet:q} 2> {log}"

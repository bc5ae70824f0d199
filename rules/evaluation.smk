# The value of a chess position, learned from engine labels (docs/evaluation.md).


rule evaluation_sample:
    input:
        positions=RUN.buckets("positions", "chess"),
    output:
        sample="results/evaluation/sample.parquet",
    log:
        "results/logs/evaluation_sample.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("evaluation.sample"),
        positions=lambda wc, input: RUN.short(input.positions),
    shell:
        "tabia evaluation sample --spec {params.spec:q} --positions {params.positions:q}"
        " --sample {output.sample} 2> {log}"


rule evaluation_labels:
    input:
        sample="results/evaluation/sample.parquet",
    output:
        labels="results/evaluation/labels/{shard}.parquet",
        rejects="results/evaluation/label_rejects/{shard}.parquet",
    log:
        "results/logs/evaluation_labels/{shard}.log",
    benchmark:
        "results/benchmarks/evaluation_labels/{shard}.tsv"
    threads: 1
    resources:
        mem_mb=1500,
        runtime=1440,
    params:
        spec=lambda wc: RUN.spec("evaluation.labels", shard=wc.shard),
    shell:
        "tabia evaluation labels --spec {params.spec:q} --threads {threads}"
        " --sample {input.sample} --store results/state/labels"
        " --labels {output.labels} --rejects {output.rejects} 2> {log}"


rule evaluation_dataset:
    input:
        sample="results/evaluation/sample.parquet",
        labels=RUN.label_shards("labels"),
        rejects=RUN.label_shards("label_rejects"),
    output:
        dataset="results/evaluation/dataset.parquet",
    log:
        "results/logs/evaluation_dataset.log",
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("evaluation.dataset"),
        labels=lambda wc, input: RUN.short(input.labels),
        rejects=lambda wc, input: RUN.short(input.rejects),
    shell:
        "tabia evaluation dataset --spec {params.spec:q} --sample {input.sample}"
        " --labels {params.labels:q} --rejects {params.rejects:q}"
        " --dataset {output.dataset} 2> {log}"


rule evaluation_terms:
    input:
        sample="results/evaluation/sample.parquet",
    output:
        terms="results/evaluation/terms.parquet",
    log:
        "results/logs/evaluation_terms.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("evaluation.terms"),
    shell:
        "tabia evaluation terms --spec {params.spec:q} --sample {input.sample}"
        " --terms {output.terms} 2> {log}"


rule evaluation_tactics:
    input:
        sample="results/evaluation/sample.parquet",
    output:
        tactics="results/evaluation/tactics.parquet",
    log:
        "results/logs/evaluation_tactics.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("evaluation.tactics"),
    shell:
        "tabia evaluation tactics --spec {params.spec:q} --sample {input.sample}"
        " --tactics {output.tactics} 2> {log}"


rule evaluation_choose:
    input:
        dataset="results/evaluation/dataset.parquet",
        features=lambda wc: RUN.features(wc.model).values(),
    output:
        choice="results/evaluation/choices/{filter}/{scenario}/{model}.parquet",
    log:
        "results/logs/evaluation_choose/{filter}/{scenario}/{model}.log",
    benchmark:
        "results/benchmarks/evaluation_choose/{filter}/{scenario}/{model}.tsv"
    threads: lambda wc: RUN.training_threads(wc.model)
    resources:
        mem_mb=lambda wc: RUN.training_memory(wc.model),
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("evaluation.choose", **wc),
        features=lambda wc: RUN.feature_options(wc.model),
    shell:
        "tabia evaluation choose --spec {params.spec:q} --dataset {input.dataset}"
        " --choice {output.choice} {params.features} 2> {log}"


rule evaluation_train:
    input:
        dataset="results/evaluation/dataset.parquet",
        features=lambda wc: RUN.features(wc.model).values(),
        choice=lambda wc: RUN.choice(wc.filter, wc.scenario, wc.model),
    output:
        model=directory("results/evaluation/models/{filter}/{scenario}/{model}/{seed}"),
        predictions="results/evaluation/predictions/{filter}/{scenario}/{model}/{seed}.parquet",
        times="results/evaluation/times/{filter}/{scenario}/{model}/{seed}.parquet",
    log:
        "results/logs/evaluation_train/{filter}/{scenario}/{model}/{seed}.log",
    benchmark:
        "results/benchmarks/evaluation_train/{filter}/{scenario}/{model}/{seed}.tsv"
    threads: lambda wc: RUN.training_threads(wc.model)
    resources:
        mem_mb=lambda wc: RUN.training_memory(wc.model),
        runtime=240,
    params:
        spec=lambda wc: RUN.spec("evaluation.train", **wc),
        features=lambda wc: RUN.feature_options(wc.model),
        choice=lambda wc, input: [f"--choice={file}" for file in input.choice],
    shell:
        "tabia evaluation train --spec {params.spec:q} --threads {threads} --dataset {input.dataset}"
        " --model {output.model} --predictions {output.predictions}"
        " --times {output.times} {params.features} {params.choice} 2> {log}"


rule evaluation_scores:
    input:
        dataset="results/evaluation/dataset.parquet",
        predictions="results/evaluation/predictions/{filter}/{scenario}/{model}/{seed}.parquet",
    output:
        scores="results/evaluation/scores/{filter}/{scenario}/{model}/{seed}.parquet",
    log:
        "results/logs/evaluation_scores/{filter}/{scenario}/{model}/{seed}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("evaluation.scores", **wc),
    shell:
        "tabia evaluation scores --spec {params.spec:q} --dataset {input.dataset}"
        " --predictions {input.predictions} --scores {output.scores} 2> {log}"


rule evaluation_summary:
    input:
        sample="results/evaluation/sample.parquet",
        dataset="results/evaluation/dataset.parquet",
        rejects=RUN.label_shards("label_rejects"),
        scores=RUN.runs("scores"),
        times=RUN.runs("times"),
        choices=RUN.choices(),
    output:
        positions="results/tables/evaluation_positions.parquet",
        models="results/tables/evaluation_models.parquet",
        by_elo="results/tables/evaluation_by_elo.parquet",
        by_phase="results/tables/evaluation_by_phase.parquet",
        by_value="results/tables/evaluation_by_value.parquet",
        choices="results/tables/evaluation_choices.parquet",
        sizes="results/tables/evaluation_sizes.parquet",
        times="results/tables/evaluation_times.parquet",
        texts=RUN.texts("evaluation"),
    log:
        "results/logs/evaluation_summary.log",
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("evaluation.summary"),
        rejects=lambda wc, input: RUN.short(input.rejects),
        scores=lambda wc, input: RUN.short(input.scores),
        times=lambda wc, input: RUN.short(input.times),
        choices=lambda wc, input: RUN.short(input.choices),
    shell:
        "tabia evaluation summary --spec {params.spec:q} --sample {input.sample}"
        " --dataset {input.dataset} --rejects={params.rejects:q} --scores={params.scores:q}"
        " --times={params.times:q} --choices={params.choices:q}"
        " --positions-table {output.positions} --models-table {output.models}"
        " --by-elo-table {output.by_elo} --by-phase-table {output.by_phase}"
        " --by-value-table {output.by_value} --choices-table {output.choices}"
        " --sizes-table {output.sizes} --times-table {output.times} 2> {log}"

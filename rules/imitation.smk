# The moves of rated people, predicted by Elo (docs/imitation.md).


rule imitation_samples:
    input:
        games=lambda wc: RUN.imitation.shards(wc.game, wc.samples),
    output:
        samples="results/imitation/{game}/{samples}.parquet",
    log:
        "results/logs/imitation_samples/{game}/{samples}.log",
    wildcard_constraints:
        samples="samples|unrated",
    priority: 20  # all else waits for them
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("imitation.samples", **wc),
        games=lambda wc, input: RUN.short(input.games),
    shell:
        "tabia imitation samples --spec {params.spec:q} --games {params.games:q}"
        " --samples {output.samples} 2> {log}"


rule imitation_pretrain:
    input:
        unrated="results/imitation/{game}/unrated.parquet",
        samples="results/imitation/{game}/samples.parquet",
    output:
        model=directory("results/imitation/{game}/pretrained"),
    log:
        "results/logs/imitation_pretrain/{game}.log",
    benchmark:
        "results/benchmarks/imitation_pretrain/{game}.tsv"
    priority: 10  # the longest job: first where there is a choice
    threads: lambda wc: RUN.imitation.pretraining_threads(wc.game)
    resources:
        mem_mb=6000,
        runtime=1440,
    params:
        spec=lambda wc: RUN.spec("imitation.pretrain", **wc),
    shell:
        "tabia imitation pretrain --spec {params.spec:q} --unrated {input.unrated}"
        " --samples {input.samples} --state results/state/imitation/pretrain"
        " --model {output.model} 2> {log}"


rule imitation_candidate:
    input:
        samples="results/imitation/{game}/samples.parquet",
        previous=lambda wc: RUN.imitation.before(wc.game, wc.net, wc.bin, wc.phase),
    output:
        candidate="results/imitation/{game}/search/{net}/{bin}/{phase}/{candidate}.parquet",
    log:
        "results/logs/imitation_candidate/{game}/{net}/{bin}/{phase}/{candidate}.log",
    benchmark:
        "results/benchmarks/imitation_candidate/{game}/{net}/{bin}/{phase}/{candidate}.tsv"
    priority: 5  # phase waits for phase, and training for the last
    threads: lambda wc: RUN.imitation.threads(wc.game, wc.net)
    resources:
        mem_mb=3000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("imitation.candidate", **wc),
        previous=lambda wc, input: [f"--previous={file}" for file in input.previous],
    shell:
        "tabia imitation candidate --spec {params.spec:q} --samples {input.samples}"
        " --store results/state/imitation/trained --candidate {output.candidate}"
        " {params.previous} 2> {log}"


rule imitation_phase:
    input:
        candidates=lambda wc: RUN.imitation.candidates(
            wc.game, wc.net, wc.bin, wc.phase
        ),
        previous=lambda wc: RUN.imitation.before(wc.game, wc.net, wc.bin, wc.phase),
    output:
        phase="results/imitation/{game}/search/{net}/{bin}/{phase}.parquet",
    log:
        "results/logs/imitation_phase/{game}/{net}/{bin}/{phase}.log",
    priority: 5
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        spec=lambda wc: RUN.spec("imitation.phase", **wc),
        candidates=lambda wc, input: RUN.short(input.candidates),
        previous=lambda wc, input: [f"--previous={file}" for file in input.previous],
    shell:
        "tabia imitation phase --spec {params.spec:q} --candidates {params.candidates:q}"
        " --phase {output.phase} {params.previous} 2> {log}"


rule imitation_train:
    input:
        samples="results/imitation/{game}/samples.parquet",
        search=lambda wc: RUN.imitation.searched(wc.game, wc.model, wc.bin),
        pretrained=lambda wc: RUN.imitation.pretrained(wc.game, wc.model),
        parts=lambda wc: RUN.imitation.parts(wc.game, wc.model, wc.fold).values(),
    output:
        model=directory("results/imitation/{game}/models/{model}/{bin}/{fold}"),
        predictions="results/imitation/{game}/predictions/{model}/{bin}/{fold}.parquet",
    log:
        "results/logs/imitation_train/{game}/{model}/{bin}/{fold}.log",
    benchmark:
        "results/benchmarks/imitation_train/{game}/{model}/{bin}/{fold}.tsv"
    threads: lambda wc: RUN.imitation.threads(wc.game, wc.model)
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("imitation.train", **wc),
        more=lambda wc: RUN.imitation.training_options(**wc),
    shell:
        "tabia imitation train --spec {params.spec:q} --samples {input.samples}"
        " --model {output.model} --predictions {output.predictions} {params.more} 2> {log}"


rule imitation_final:
    input:
        samples="results/imitation/{game}/samples.parquet",
        search=lambda wc: RUN.imitation.searched(wc.game, wc.model, wc.bin),
        pretrained=lambda wc: RUN.imitation.pretrained(wc.game, wc.model),
        parts=lambda wc: RUN.imitation.parts(wc.game, wc.model, "final").values(),
    output:
        model=directory("results/imitation/{game}/models/{model}/{bin}/final"),
    log:
        "results/logs/imitation_final/{game}/{model}/{bin}.log",
    benchmark:
        "results/benchmarks/imitation_final/{game}/{model}/{bin}.tsv"
    threads: lambda wc: RUN.imitation.threads(wc.game, wc.model)
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("imitation.train", **wc, fold="final"),
        more=lambda wc: RUN.imitation.training_options(**wc, fold="final"),
    shell:
        "tabia imitation train --spec {params.spec:q} --samples {input.samples}"
        " --model {output.model} {params.more} 2> {log}"


rule imitation_scores:
    input:
        predictions=lambda wc: RUN.imitation.predictions(wc.game, wc.model),
    output:
        scores="results/imitation/{game}/scores/{model}.parquet",
    log:
        "results/logs/imitation_scores/{game}/{model}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("imitation.scores", **wc),
        predictions=lambda wc, input: RUN.short(input.predictions),
    shell:
        "tabia imitation scores --spec {params.spec:q} --predictions {params.predictions:q}"
        " --scores {output.scores} 2> {log}"


rule imitation_ceiling:
    input:
        samples="results/imitation/{game}/samples.parquet",
    output:
        ceiling="results/imitation/{game}/ceiling.parquet",
    log:
        "results/logs/imitation_ceiling/{game}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("imitation.ceiling", **wc),
    shell:
        "tabia imitation ceiling --spec {params.spec:q} --samples {input.samples}"
        " --ceiling {output.ceiling} 2> {log}"


rule imitation_summary:
    input:
        scores=RUN.imitation.scores(),
        ceilings=RUN.imitation.ceilings(),
        phases=RUN.imitation.phases(),
        samples=RUN.imitation.samples(),
    output:
        samples="results/tables/imitation_samples.parquet",
        models="results/tables/imitation_models.parquet",
        parts="results/tables/imitation_parts.parquet",
        calibration="results/tables/imitation_calibration.parquet",
        ceiling="results/tables/imitation_ceiling.parquet",
        differences="results/tables/imitation_differences.parquet",
        structures="results/tables/imitation_structures.parquet",
        candidates="results/tables/imitation_candidates.parquet",
        texts=RUN.texts("imitation"),
    log:
        "results/logs/imitation_summary.log",
    resources:
        mem_mb=4000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("imitation.summary"),
        scores=lambda wc, input: RUN.short(input.scores),
        ceilings=lambda wc, input: RUN.short(input.ceilings),
        phases=lambda wc, input: RUN.short(input.phases),
        samples=lambda wc, input: RUN.short(input.samples),
    shell:
        "tabia imitation summary --spec {params.spec:q} --scores={params.scores:q}"
        " --ceilings={params.ceilings:q} --phases={params.phases:q}"
        " --samples={params.samples:q}"
        " --samples-table {output.samples} --models-table {output.models}"
        " --parts-table {output.parts} --calibration-table {output.calibration}"
        " --ceiling-table {output.ceiling} --differences-table {output.differences}"
        " --structures-table {output.structures} --candidates-table {output.candidates} 2> {log}"

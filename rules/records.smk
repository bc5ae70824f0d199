# Game files in; games, rejects, splits and distinct positions out (docs/records.md).


rule records_fetch:
    output:
        archive="results/records/archives/{archive}",
    log:
        "results/logs/records_fetch/{archive}.log",
    retries: 2
    localrule: True  # compute nodes often have no internet
    resources:
        mem_mb=500,
        runtime=1440,
    params:
        spec=lambda wc: RUN.spec("records.fetch", archive=wc.archive),
    shell:
        "tabia records fetch --spec {params.spec:q} --archive {output.archive} 2> {log}"


rule records_blocks:
    input:
        file=lambda wc: RUN.files(RUN.source(wc.source)),
    output:
        # A folder: its gigabytes are compared by time, not read again for each of its shards.
        blocks=directory("results/records/blocks/{source}"),
    log:
        "results/logs/records_blocks/{source}.log",
    benchmark:
        "results/benchmarks/records_blocks/{source}.tsv"
    resources:
        mem_mb=2000,
        runtime=240,
    params:
        spec=lambda wc: RUN.spec("records.blocks", source=wc.source),
    shell:
        "tabia records blocks --spec {params.spec:q} --file {input.file:q}"
        " --blocks {output.blocks}/games.zst --index {output.blocks}/index.parquet 2> {log}"


rule records_games:
    input:
        unpack(lambda wc: RUN.shard_blocks(wc.source)),
        files=lambda wc: RUN.shard_files(wc.source, wc.shard),
        headers=lambda wc: RUN.headers(wc.source),
    output:
        games="results/records/games/{source}/{shard}.parquet",
        rejects="results/records/rejects/{source}/{shard}.parquet",
        counts="results/records/counts/{source}/{shard}.parquet",
    log:
        "results/logs/records_games/{source}/{shard}.log",
    benchmark:
        "results/benchmarks/records_games/{source}/{shard}.tsv"
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("records.games", source=wc.source, shard=wc.shard),
        blocks=lambda wc: RUN.blocks_options(wc.source),
        headers=lambda wc: RUN.headers_options(wc.source),
    shell:
        "tabia records games --spec {params.spec:q} {params.blocks:q} {params.headers:q}"
        " --games {output.games}"
        " --rejects {output.rejects} --counts {output.counts} -- {input.files:q} 2> {log}"


rule records_splits:
    input:
        games="results/records/games/{source}/{shard}.parquet",
    output:
        splits="results/records/splits/{source}/{shard}.parquet",
    log:
        "results/logs/records_splits/{source}/{shard}.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        spec=lambda wc: RUN.spec("records.splits", source=wc.source, shard=wc.shard),
    shell:
        "tabia records splits --spec {params.spec:q} --games {input.games}"
        " --splits {output.splits} 2> {log}"


rule records_occurrences:
    input:
        games="results/records/games/{source}/{shard}.parquet",
    output:
        occurrences="results/records/occurrences/{source}/{shard}.parquet",
    log:
        "results/logs/records_occurrences/{source}/{shard}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec(
            "records.occurrences", source=wc.source, shard=wc.shard
        ),
    shell:
        "tabia records occurrences --spec {params.spec:q} --games {input.games}"
        " --occurrences {output.occurrences} 2> {log}"


rule records_positions:
    input:
        occurrences=lambda wc: RUN.shards("occurrences", wc.game),
    output:
        positions="results/records/positions/{game}/{bucket}.parquet",
        leaks="results/records/leaks/{game}/{bucket}.parquet",
    log:
        "results/logs/records_positions/{game}/{bucket}.log",
    benchmark:
        "results/benchmarks/records_positions/{game}/{bucket}.tsv"
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        spec=lambda wc: RUN.spec("records.positions", game=wc.game, bucket=wc.bucket),
        occurrences=lambda wc, input: RUN.short(input.occurrences),
    shell:
        "tabia records positions --spec {params.spec:q} --occurrences {params.occurrences:q}"
        " --positions {output.positions} --leaks {output.leaks} 2> {log}"


rule records_summary:
    input:
        counts=RUN.shards("counts"),
        games=RUN.shards("games"),
        splits=RUN.shards("splits"),
        leaks=RUN.buckets("leaks"),
    output:
        games="results/tables/records_games.parquet",
        elo_bins="results/tables/records_elo_bins.parquet",
        leakage="results/tables/records_leakage.parquet",
        texts=RUN.texts("records"),
    log:
        "results/logs/records_summary.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("records.summary"),
        counts=lambda wc, input: RUN.short(input.counts),
        games=lambda wc, input: RUN.short(input.games),
        splits=lambda wc, input: RUN.short(input.splits),
        leaks=lambda wc, input: RUN.short(input.leaks),
    shell:
        "tabia records summary --spec {params.spec:q} --counts {params.counts:q}"
        " --games {params.games:q} --splits {params.splits:q} --leaks {params.leaks:q}"
        " --games-table {output.games} --elo-bins-table {output.elo_bins}"
        " --leakage-table {output.leakage} 2> {log}"

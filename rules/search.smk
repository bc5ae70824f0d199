# Players that teach themselves, by self-play (docs/search.md).


rule search_start:
    output:
        net=directory("results/search/{run}/nets/0"),
    log:
        "results/logs/search_start/{run}.log",
    wildcard_constraints:
        run=RUN.search.begun(pretrained=False),
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        spec=lambda wc: RUN.spec("search.start", **wc),
    shell:
        "tabia search start --spec {params.spec:q} --net {output.net} 2> {log}"


rule search_pretrain:
    input:
        games=lambda wc: RUN.search.records(wc.run),
    output:
        net=directory("results/search/{run}/nets/0"),
    log:
        "results/logs/search_pretrain/{run}.log",
    benchmark:
        "results/benchmarks/search_pretrain/{run}.tsv"
    wildcard_constraints:
        run=RUN.search.begun(pretrained=True),
    priority: 10
    threads: lambda wc: RUN.search.pretraining_threads(wc.run)
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("search.pretrain", **wc),
        games=lambda wc, input: RUN.short(input.games),
    shell:
        "tabia search pretrain --spec {params.spec:q} --games={params.games:q}"
        " --state results/state/search/pretrain --net {output.net} 2> {log}"


rule search_selfplay:
    input:
        net=lambda wc: RUN.search.before(wc.run, wc.generation),
    output:
        games="results/search/{run}/selfplay/{generation}/{shard}/games.parquet",
        positions="results/search/{run}/selfplay/{generation}/{shard}/positions.parquet",
        times="results/search/{run}/selfplay/{generation}/{shard}/times.parquet",
    log:
        "results/logs/search_selfplay/{run}/{generation}/{shard}.log",
    benchmark:
        "results/benchmarks/search_selfplay/{run}/{generation}/{shard}.tsv"
    priority: 10  # generation waits for generation
    threads: lambda wc: RUN.search.selfplay_threads(wc.run)
    resources:
        mem_mb=3000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("search.selfplay", **wc),
    shell:
        "tabia search selfplay --spec {params.spec:q} --net {input.net}"
        " --state results/state/search/selfplay"
        " --games {output.games} --positions {output.positions} --times {output.times} 2> {log}"


rule search_train:
    input:
        games=lambda wc: RUN.search.window(wc.run, wc.generation, "games"),
        positions=lambda wc: RUN.search.window(wc.run, wc.generation, "positions"),
        net=lambda wc: RUN.search.learned_from(wc.run, wc.generation),
    output:
        model=directory("results/search/{run}/nets/{generation}"),
        times="results/search/{run}/times/{generation}.parquet",
    log:
        "results/logs/search_train/{run}/{generation}.log",
    benchmark:
        "results/benchmarks/search_train/{run}/{generation}.tsv"
    wildcard_constraints:
        generation=r"[1-9]\d*",
    priority: 10
    threads: lambda wc: RUN.search.training_threads(wc.run)
    resources:
        mem_mb=4000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("search.train", **wc),
        games=lambda wc, input: RUN.short(input.games),
        positions=lambda wc, input: RUN.short(input.positions),
    shell:
        "tabia search train --spec {params.spec:q} --games={params.games:q}"
        " --positions={params.positions:q} --net {input.net}"
        " --state results/state/search/train --model {output.model} --times {output.times}"
        " 2> {log}"


rule search_gate:
    input:
        candidate="results/search/{run}/nets/{generation}",
        best=lambda wc: RUN.search.before(wc.run, wc.generation),
    output:
        games="results/search/{run}/gates/{generation}.parquet",
        chosen=directory("results/search/{run}/best/{generation}"),
    log:
        "results/logs/search_gate/{run}/{generation}.log",
    benchmark:
        "results/benchmarks/search_gate/{run}/{generation}.tsv"
    wildcard_constraints:
        generation=r"[1-9]\d*",
    priority: 10
    threads: lambda wc: RUN.search.selfplay_threads(wc.run)
    resources:
        mem_mb=3000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("search.gate", **wc),
    shell:
        "tabia search gate --spec {params.spec:q} --candidate {input.candidate}"
        " --best {input.best} --games {output.games} --chosen {output.chosen} 2> {log}"


rule search_ladder:
    input:
        nets=lambda wc: RUN.search.opponents(wc.run, wc.pair),
    output:
        games="results/search/{run}/matches/{pair}.parquet",
    log:
        "results/logs/search_ladder/{run}/{pair}.log",
    benchmark:
        "results/benchmarks/search_ladder/{run}/{pair}.tsv"
    threads: RUN.search.ladder_threads() if RUN.search.learners() else 1
    resources:
        mem_mb=3000,
        runtime=480,
    params:
        spec=lambda wc: RUN.spec("search.ladder", **wc),
        nets=lambda wc: RUN.search.match_options(wc.run, wc.pair),
    shell:
        "tabia search ladder --spec {params.spec:q} {params.nets:q} --games {output.games}"
        " 2> {log}"


rule search_summary:
    input:
        games=RUN.search.tables("games"),
        positions=RUN.search.tables("positions"),
        nets=RUN.search.of_all(RUN.search.nets),
        matches=RUN.search.of_all(RUN.search.matches),
        times=RUN.search.of_all(RUN.search.times),
    output:
        generations="results/tables/search_generations.parquet",
        matches="results/tables/search_matches.parquet",
        selfplay="results/tables/search_selfplay.parquet",
        times="results/tables/search_times.parquet",
        texts=RUN.texts("search"),
    log:
        "results/logs/search_summary.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        spec=lambda wc: RUN.spec("search.summary"),
        games=lambda wc, input: RUN.short(input.games),
        positions=lambda wc, input: RUN.short(input.positions),
        nets=lambda wc, input: RUN.short(input.nets),
        matches=lambda wc, input: RUN.short(input.matches),
        times=lambda wc, input: RUN.short(input.times),
    shell:
        "tabia search summary --spec {params.spec:q} --games={params.games:q}"
        " --positions={params.positions:q} --nets={params.nets:q} --matches={params.matches:q}"
        " --times={params.times:q}"
        " --generations-table {output.generations} --matches-table {output.matches}"
        " --selfplay-table {output.selfplay} --times-table {output.times} 2> {log}"

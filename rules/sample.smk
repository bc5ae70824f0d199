# The recipe of the bundled samples. It is never run by a normal target: copy its output to
# resources/sample/ to replace them (resources/sample/README.md).


rule sample:
    input:
        "results/sample/chess.pgn.zst",
        "results/sample/tiny.pgn.zst",
        "results/sample/xiangqi.pgn.zst",
        "results/sample/xiangqi-tiny.pgn.zst",


rule sample_chess:
    output:
        games="results/sample/{size}.pgn.zst",
    log:
        "results/logs/sample_chess/{size}.log",
    wildcard_constraints:
        size="chess|tiny",
    threads: 2
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("sample.chess", size=wc.size),
    shell:
        "tabia sample chess --spec {params.spec:q} --threads {threads}"
        " --games {output.games} 2> {log}"


rule sample_xiangqi:
    output:
        games="results/sample/{size}.pgn.zst",
    log:
        "results/logs/sample_xiangqi/{size}.log",
    wildcard_constraints:
        size="xiangqi|xiangqi-tiny",
    threads: 2
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        spec=lambda wc: RUN.spec("sample.xiangqi", size=wc.size),
    shell:
        "tabia sample xiangqi --spec {params.spec:q} --threads {threads}"
        " --games {output.games} 2> {log}"

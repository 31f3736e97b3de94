# The rounds of `run`, one object each, to its rows: medians, and ours in relation to the other
# servers in the same round, by rate and by processor time.

def median: map(values) | sort |
    if length == 0 then null
    elif length % 2 == 1 then .[length / 2 | floor]
    else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def rounded(digits): if . == null then . else . * pow(10; digits) | round / pow(10; digits) end;
def quotient($a; $b): if $a == null or ($b // 0) == 0 then null else $a / $b end;
def cpu: if .db_us == null then null else .db_us + .app_us + .nginx_us end;

group_by([.times, .request, .connections]) | map(
    (map(select(.server == "ours") | {key: "\(.round)", value: .}) | from_entries) as $ours |
    (map(select(.server == "kept") | {key: "\(.round)", value: .}) | from_entries) as $kept |
    group_by(.server) | map({
        times: .[0].times, request: .[0].request, connections: .[0].connections,
        server: .[0].server, place: .[0].place,
        rate: (map(.rate) | median | rounded(1)),
        p50: (map(.p50) | median | rounded(2)), p99: (map(.p99) | median | rounded(2)),
        db_us: (map(.db_us) | median | rounded(1)), app_us: (map(.app_us) | median | rounded(1)),
        app_user_us: (map(.app_user_us) | median | rounded(1)),
        db_cores: (map(if .db_us == null then null else .db_us * .rate / 1e6 end) | median | rounded(2)),
        nginx_us: (map(.nginx_us) | median | rounded(1)),
        bytes: .[0].bytes, statements: (map(.statements) | median | rounded(1)),
        errors: (map(.errors) | add),
        ratio: (map(quotient($ours["\(.round)"].rate; .rate)) | median | rounded(2)),
        cpu_ratio: (map(quotient(cpu; $ours["\(.round)"] | cpu)) | median | rounded(2)),
        of_kept: (map(quotient(.rate; $kept["\(.round)"].rate)) | median | rounded(2))
    })) | add // [] | sort_by(.place)

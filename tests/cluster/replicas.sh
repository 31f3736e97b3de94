# shellcheck shell=bash disable=SC2154 # run assigns
# Sourced by run: what happens to a primary and its replicas.

all_follow() { for replica in $replicas; do wait_until 60 follows "$replica" || fail "replica $replica does not follow"; done; }

falls_behind() { # REPLICA
    sleep 1
    sql "$1" "STOP REPLICA SQL_THREAD"
    sleep 8
    is_explained "$1"
    sql "$1" "START REPLICA SQL_THREAD"
    all_follow
    sleep 1
}
replica_dies() {
    sleep 1
    kill -KILL "$(server_process "$1")"
    sleep 3
    start_server "$1"
    sql "$1" "SET GLOBAL read_only=ON"
    all_follow
    sleep 1
}
server_stands_still() {
    sleep 1
    kill -STOP "$(server_process "$1")"
    sleep 5
    kill -CONT "$(server_process "$1")"
    all_follow
    sleep 1
}
wire_is_bad() {
    sleep 1
    make_wire "$1" 20 2
    sleep 10
    make_wire "$1" 0 0
    all_follow
    sleep 1
}
primary_is_cut_off() {
    sleep 1
    cut_off 1
    wait_until 15 readiness_tells || fail "/_ready does not tell that there is no primary: $(readiness)"
    sleep 5
    heal 1
    all_follow
    sleep 2
}

# `primary-lost = serve`: service goes on, with answers of any age.
serves() { [[ ${CLUSTER_OPTIONS-} == *primary-lost=serve* ]]; }
readiness() { curl -s --max-time 5 -o /dev/null -D - http://127.0.0.1:19977/_ready; }
readiness_tells() { if serves; then [[ $(readiness) == *' 204 '*'; no primary'* ]]; else [[ $(readiness) == *' 503 '* ]]; fi; }

# What `check` says of them.
check() { on 11 "$program" check --config "$dir/host.conf" "$@" 2>&1 | grep -E 'host' | grep -v 'host.conf'; }
all_fit() { # REPLICA…
    [ -z "$(check)" ] || fail "check complains: $(check)"
    sql "$1" "SET GLOBAL read_only=OFF"
    [[ $(check) == *"several hosts take writes: 10.77.0.$1:3306, "* ]] || fail "check does not see that $1 takes writes"
    sql "$1" "SET GLOBAL read_only=ON"
}
# One that does not follow: where the account may ask why, it is told.
is_explained() { # REPLICA
    local host="host 10.77.0.$1:3306 is not known to have everything that the primary has"
    [[ $(check) == *"$host; fix: run SHOW REPLICA STATUS there"* ]] || fail "check does not see that $1 is behind: $(check)"
    [[ $(check --database "${url/populate:populate/watcher:watcher}") == *"$host: according to SHOW REPLICA STATUS, "*"_SQL_Running: No"* ]] ||
        fail "check does not say why $1 is behind"
}

# Who is removed from `database` is left at SIGHUP, and who is added comes back.
hosts_change() { # REPLICA
    write_settings "mysql://populate:populate@10.77.0.1/ks?balance=ordered$login_option"
    kill -HUP "${hosts[11]}" "${hosts[12]}"
    wait_until 60 has_no_readers "$1" || fail "server $1 was not left"
    sleep 1
    has_no_readers "$1" || fail "server $1 is asked again"
    write_settings "$url"
    kill -HUP "${hosts[11]}" "${hosts[12]}"
    wait_until 60 has_readers "$1" || fail "server $1 is not asked again"
    sleep 1
}
readers_at() { sql "$1" "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE USER = 'populate'"; }
has_no_readers() { [ "$(readers_at "$1")" = 0 ]; }
has_readers() { [ "$(readers_at "$1")" -gt 2 ]; }

# With a cache, a process stays with one server.
are_spread() { [[ ${CLUSTER_OPTIONS-} != *cache* ]]; }

# Each server answers the same, within a tenth. MariaDB counts by user.
are_asked_alike() {
    local number counts=()
    for number; do sql "$number" "SET GLOBAL userstat=ON; FLUSH USER_STATISTICS"; done
    sleep 5
    for number; do
        counts+=("$(sql "$number" "SELECT SUM(SELECT_COMMANDS) FROM information_schema.USER_STATISTICS WHERE USER='populate'")")
    done
    echo "statements at each server: ${counts[*]}"
    awk 'BEGIN { for (i = 1; i < ARGC; ++i) { total += ARGV[i] }
        for (i = 1; i < ARGC; ++i) if (ARGV[i] < 0.9 * total / (ARGC - 1) || ARGV[i] > 1.1 * total / (ARGC - 1)) exit 1 }' \
        "${counts[@]}" || fail "the servers are not asked alike"
}

# The primary goes for good once the others have all that was acknowledged: nobody writes any more, the
# owner neither, whom read_only would not keep from it.
is_locked() { [ "$(sql 1 "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE INFO = 'DO SLEEP(60)'")" = 1 ]; }
replica_is_promoted() { # REPLICA
    local other
    sleep 1
    sql 1 "FLUSH TABLES WITH READ LOCK; DO SLEEP(60)" &
    wait_until 60 is_locked || fail "the primary goes on writing"
    wait_until 60 follows "$1" || fail "replica $1 does not follow"
    kill -KILL "$(server_process 1)"
    sleep 1
    sql "$1" "STOP REPLICA; RESET REPLICA ALL; SET GLOBAL read_only=OFF"
    for other in $replicas; do [ "$other" = "$1" ] || follow_primary "$other" "$1"; done
    sleep 1
    printf 'since the promotion\t0.1\n' >&"$events"
    sleep 4
}

with_replication() { # REPLICA…
    replicas=$*
    local list=10.77.0.1 number
    for number; do list=10.77.0.$number,$list; done
    url="mysql://populate:populate@$list/ks?balance=random$login_option"
    write_settings "$url"
    start_replication "$@"
    all_follow
    all_fit "$@"
    start_host 11
    start_host 12
    start_nginx 11 12
    # max-lag and the interval at which hosts are asked
    if serves; then observe 3600000 1; else observe 1250 1; fi
    if are_spread && [ "$engine" = mariadb ]; then event nothing 0.1 are_asked_alike 1 "$@"; fi
}

short() {
    with_replication 2
    event "replica falls behind" 0.1 falls_behind 2
    event "replica dies" 0.1 replica_dies 2
    if are_spread; then event "hosts change" 0.1 hosts_change 2; fi
    event "primary is cut off" "$(serves && echo 0.1 || echo 0)" primary_is_cut_off
    finish
}

replicas() {
    lay_wire 1
    lay_wire 2
    with_replication 2 3
    for number in 2 3; do
        event "replica $number falls behind" 0.1 falls_behind $number
        event "replica $number dies" 0.1 replica_dies $number
        event "replica $number stands still" 0.1 server_stands_still $number
    done
    if are_spread; then event "hosts change" 0.1 hosts_change 2; fi
    event "primary is cut off" "$(serves && echo 0.1 || echo 0)" primary_is_cut_off
    event "primary stands still" 0 server_stands_still 1
    event "wire to replica 2 is bad" 0.1 wire_is_bad 2
    event "wire to the primary is bad" 0.1 wire_is_bad 1
    event "replica is promoted" 0 replica_is_promoted 2
    finish
}

mysql() {
    with_replication 2
    event "replica falls behind" 0.1 falls_behind 2
    event "replica dies" 0.1 replica_dies 2
    event "replica stands still" 0.1 server_stands_still 2
    event "primary is cut off" 0 primary_is_cut_off
    event "replica is promoted" 0 replica_is_promoted 2
    finish
}

# shellcheck shell=bash disable=SC2154 # run assigns
# Sourced by run: what happens to a primary and its replicas.

follows() { [ "$(sql "$1" "SELECT MASTER_GTID_WAIT('$(sql 1 "SELECT @@gtid_binlog_pos")', 1)")" = 0 ]; }
all_follow() { for replica in $replicas; do wait_until 60 follows "$replica" || fail "replica $replica does not follow"; done; }

falls_behind() { # REPLICA
    sleep 1
    sql "$1" "STOP SLAVE SQL_THREAD"
    sleep 10
    sql "$1" "START SLAVE SQL_THREAD"
    all_follow
    sleep 1
}
replica_dies() {
    sleep 1
    kill -KILL "$(server_process "$1")"
    sleep 3
    start_server "$1" --server-id="$1"
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
primary_is_cut_off() {
    sleep 1
    cut_off 1
    sleep 6
    heal 1
    all_follow
    sleep 2
}

with_replication() { # REPLICA…
    replicas=$*
    local list=10.77.0.1 number
    for number; do list=10.77.0.$number,$list; done
    settings=(--database "mysql://populate:populate@$list/ks?balance=random")
    # shellcheck disable=SC2206
    settings+=(${CLUSTER_OPTIONS-})
    start_replication "$@"
    start_host 11
    start_host 12
    start_nginx 11 12
    # max-lag and the interval at which hosts are asked
    observe 1250 1
    event nothing 0.1 sleep 3
}

short() {
    with_replication 2
    event "replica falls behind" 0.1 falls_behind 2
    event "replica dies" 0.1 replica_dies 2
    event "primary is cut off" 0 primary_is_cut_off
    finish
}

replicas() {
    with_replication 2 3
    for number in 2 3; do
        event "replica $number falls behind" 0.1 falls_behind $number
        event "replica $number dies" 0.1 replica_dies $number
        event "replica $number stands still" 0.1 server_stands_still $number
    done
    event "primary is cut off" 0 primary_is_cut_off
    event "primary stands still" 0 server_stands_still 1
    finish
}

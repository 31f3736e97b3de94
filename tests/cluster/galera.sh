# shellcheck shell=bash disable=SC2154 # run assigns
# Sourced by run: what happens to a cluster.

whole() { wait_until 90 is_whole || fail "the cluster did not become whole again"; }

node_dies() {
    sleep 1
    kill -KILL "$(server_process "$1")"
    sleep 9
    restart_node "$1"
    whole
    sleep 2
}
node_stands_still() {
    sleep 1
    kill -STOP "$(server_process "$1")"
    sleep 9
    kill -CONT "$(server_process "$1")"
    sleep 1
    whole
    sleep 2
}
node_is_cut_off() { # NUMBER [FROM…]
    sleep 1
    cut_off "$@"
    sleep 10
    heal "$1"
    sleep 1
    whole
    sleep 2
}
host_dies() {
    sleep 1
    kill -KILL "${hosts[$1]}"
    sleep 2
    start_host "$1"
    sleep 2
}
host_stands_still() {
    sleep 1
    kill -STOP "${hosts[$1]}"
    sleep 8
    kill -CONT "${hosts[$1]}"
    sleep 3
}
host_is_cut_off() {
    sleep 1
    cut_off "$1"
    sleep 8
    heal "$1"
    sleep 6
}

peers_of() { for number in 1 2 3; do [ "$number" = "$1" ] || echo "10.77.0.$number"; done; }

galera() {
    local most=2 allowance=1500 number
    settings=(--database "mysql://populate:populate@10.77.0.1,10.77.0.2,10.77.0.3/ks?balance=random"
        --galera-sync "$sync" --primary-lost refuse)
    # shellcheck disable=SC2206
    settings+=(${CLUSTER_OPTIONS-})
    [ "$sync" = off ] || most=8 allowance=0
    start_cluster
    start_host 11
    start_host 12
    start_nginx 11 12
    observe "$allowance" 1 2 3
    event nothing 0.1 sleep 5
    for number in 1 2 3; do
        event "node $number dies" $most node_dies $number
        event "node $number stands still" $most node_stands_still $number
        # shellcheck disable=SC2046
        event "node $number loses the others" $most node_is_cut_off $number $(peers_of $number)
        event "node $number is cut off" $most node_is_cut_off $number
    done
    for number in 11 12; do
        event "host $number dies" 0.1 host_dies $number
        event "host $number stands still" 0.1 host_stands_still $number
        event "host $number is cut off" $most host_is_cut_off $number
    done
    event "node 2 dies again" $most node_dies 2
    event "node 3 stands still again" $most node_stands_still 3
    finish
}

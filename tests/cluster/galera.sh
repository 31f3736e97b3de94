# shellcheck shell=bash disable=SC2154 # run assigns
# Sourced by run: what happens to a cluster.

whole() { wait_until 90 is_whole || fail "the cluster did not become whole again"; }

# Each breaks and comes back.
node_dies() { sleep 1 && kill -KILL "$(server_process "$1")" && sleep 9; }
node_is_started() { restart_node "$1" && whole && sleep 2; }
node_stands_still() { sleep 1 && kill -STOP "$(server_process "$1")" && sleep 9; }
node_goes_on() { kill -CONT "$(server_process "$1")" && sleep 1 && whole && sleep 2; }
machine_is_cut_off() { sleep 1 && cut_off "$@" && sleep 10; } # NUMBER [FROM…]
machine_is_back() { heal "$1" && sleep 1 && whole && sleep 2; }
host_dies() { sleep 1 && kill -KILL "${hosts[$1]}" && sleep 2; }
host_is_started() { start_host "$1" && sleep 2; }
host_stands_still() { sleep 1 && kill -STOP "${hosts[$1]}" && sleep 8; }
host_goes_on() { kill -CONT "${hosts[$1]}" && sleep 3; }

peers_of() { for number in 1 2 3; do [ "$number" = "$1" ] || echo "10.77.0.$number"; done; }

galera() {
    local most allowance=0 number
    case $sync in
    off) most=2 allowance=1500 ;;
    on) most=8 ;;
    quick) most=4 sync=on evs=$quick ;;
    esac
    write_settings "$database_url" "galera-sync = $sync"
    start_cluster
    start_host 11
    start_host 12
    start_nginx 11 12
    observe "$allowance" 1 2 3
    event nothing 0.1 sleep 5
    for number in 1 2 3; do
        event "node $number dies" $most node_dies $number
        event "... is started" 2 node_is_started $number
        event "node $number stands still" $most node_stands_still $number
        event "... goes on" 2 node_goes_on $number
        # shellcheck disable=SC2046
        event "node $number loses the others" $most machine_is_cut_off $number $(peers_of $number)
        event "... has them back" 2 machine_is_back $number
        event "node $number is cut off" $most machine_is_cut_off $number
        event "... is back" 2 machine_is_back $number
    done
    for number in 11 12; do
        event "host $number dies" 0.1 host_dies $number
        event "... is started" 0.1 host_is_started $number
        event "host $number stands still" 0.1 host_stands_still $number
        event "... goes on" 0.1 host_goes_on $number
        event "host $number is cut off" $most machine_is_cut_off $number
        event "... is back" 2 machine_is_back $number
    done
    event "node 2 dies" $most node_dies 2
    event "... is started" 2 node_is_started 2
    event "node 3 stands still" $most node_stands_still 3
    event "... goes on" 2 node_goes_on 3
    finish
}

# shellcheck shell=bash disable=SC2034,SC2154 # run assigns, and uses
# Sourced by run: the hammer of the cache on a cluster. It starts the program itself, on host 11.

# Unless the hammer has ended.
tell() { # NAME COMMAND…
    kill -0 "$hammering" 2>/dev/null || return 0
    echo "$1" && shift
    "$@"
}

owner_of() { echo "mysql://$(id -un)@localhost/content?socket=$dir/$1/mysql.sock"; }

# With `on` writers write to any node, and what they were told is what must be answered; with `off` that
# is so of the one node that is asked.
hammer_galera() {
    local number asked=10.77.0.1 nodes="1 1 1"
    [ "$sync" = off ] || asked=10.77.0.1,10.77.0.2,10.77.0.3 nodes="1 2 3"
    start_cluster
    hammer "$asked" 0s "$nodes" --galera-sync="$sync"
    for number in $nodes; do
        tell "node $number dies" node_dies "$number"
        tell "... is started" node_is_started "$number"
        tell "node $number stands still" node_stands_still "$number"
        tell "... goes on" node_goes_on "$number"
        # shellcheck disable=SC2046
        tell "node $number loses the others" machine_is_cut_off "$number" $(peers_of "$number")
        tell "... has them back" machine_is_back "$number"
        tell "node $number is cut off" machine_is_cut_off "$number"
        tell "... is back" machine_is_back "$number"
    done
    wait "$hammering"
}

hammer_replica() {
    replicas=2
    start_replication 2
    # max-lag and the interval at which hosts are asked
    hammer 10.77.0.2,10.77.0.1 1250ms 1
    for _ in 1 2 3; do
        tell "replica falls behind" falls_behind 2
        tell "replica dies" replica_dies 2
        tell "replica stands still" server_stands_still 2
        tell "primary is cut off" primary_is_cut_off
        tell "primary stands still" server_stands_still 1
    done
    wait "$hammering"
}

hammer() { # ADDRESSES ALLOWED "WRITABLE…" [OPTION…]
    local asked=$1 allowed=$2 writable=() number
    for number in $3; do writable+=(--write-to "$(owner_of "$number")"); done
    shift 3
    sql 1 "CREATE DATABASE content CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
        GRANT SELECT ON content.* TO populate@'%'" || fail "no place for the hammer's content"
    printf cache >"$dir/cache-password"
    chmod 600 "$dir/cache-password"
    CACHE_USER=populate_cache CACHE_PASSWORD_FILE=$dir/cache-password \
        POPULATE_TEST_DATABASE="mysql://populate:populate@$asked/content?balance=ordered$login_option" POPULATE_TEST_OWNER=$(owner_of 1) \
        SERVER_PID_FILE=/dev/null SERVER_START=false \
        on 11 "$tests/with" content "$program" "$observer" --program "$program" "${writable[@]}" \
        --allow "$allowed" --seconds "${SECONDS_OF_HAMMER:-280}" --reads 500000 --hits 1000 --pause 20000 \
        ${HAMMER_OPTIONS-} -- "$@" &
    hammering=$!
    sleep 5
}

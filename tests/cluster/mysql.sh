# shellcheck shell=bash disable=SC2034,SC2154 # run assigns, and uses
# Sourced by run in the place of mariadb.sh, with MySQL of Debian unstable.

# Its data is on a disk, where tests/mysql/server has the system that it needs.
start_server() { # NUMBER OPTION…
    local number=$1 data
    shift
    data=$(on "$number" "$tests/mysql/server" start "cluster-$number" --server-id="$number" \
        --skip-networking=0 --bind-address=0.0.0.0 --skip-name-resolve --log-error="/cluster-$number/mysql.log" \
        --log-bin=log --gtid-mode=ON --enforce-gtid-consistency=ON --sync-binlog=0 \
        --innodb-flush-log-at-trx-commit=2 --innodb-buffer-pool-size=64M --max-connections=100 --back-log=50 \
        --relay-log-recovery=ON "$@") || fail "server $number does not start"
    ln -sfn "$data" "$dir/$number"
}
stop_server() { "$tests/mysql/server" remove "cluster-$1"; }

load_example() { # NUMBER
    sql "$1" "CREATE DATABASE ks CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci"
    gzip -dc "$tests/data/ks/dump.sql.gz" | "$tests/mysql/as_mysql" |
        mariadb --no-defaults --socket="$dir/$1/mysql.sock" --user=root ks || fail "the example cannot be loaded"
}

right_to_ask_replicas="REPLICATION CLIENT"
login_option="&get-server-public-key=on" # caching_sha2_password without TLS
follow_primary() { # NUMBER PRIMARY
    sql "$1" "STOP REPLICA; CHANGE REPLICATION SOURCE TO SOURCE_HOST='10.77.0.$2', SOURCE_USER='replica',
        SOURCE_PASSWORD='replica', SOURCE_AUTO_POSITION=1, SOURCE_CONNECT_RETRY=1,
        SOURCE_HEARTBEAT_PERIOD=0.5, GET_SOURCE_PUBLIC_KEY=1; SET GLOBAL replica_net_timeout=2;
        START REPLICA; SET GLOBAL read_only=ON"
}
# It has all that server 1 has.
follows() { [ "$(sql "$1" "SELECT WAIT_FOR_EXECUTED_GTID_SET('$(sql 1 "SELECT @@GLOBAL.gtid_executed")', 1)")" = 0 ]; }

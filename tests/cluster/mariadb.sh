# shellcheck shell=bash disable=SC2034,SC2154 # run assigns, and uses
# Sourced by run: what is said to servers of MariaDB. mysql.sh has the same for MySQL.

start_server() { # NUMBER OPTION…
    local number=$1
    shift
    mkdir -p "$dir/$number"
    on "$number" "$database" start "$dir/$number" --server-id="$number" --skip-networking=0 \
        --bind-address=0.0.0.0 --log-bin=log --binlog-format=ROW --log-slave-updates --sync-binlog=0 \
        --innodb-buffer-pool-size=64M --max-connections=100 --back-log=50 "$@" ||
        fail "server $number does not start"
}
stop_server() { "$database" stop "$dir/$1"; }

load_example() { "$database" load "$dir/$1" ks "$tests/data/ks/dump.sql.gz"; } # NUMBER

right_to_ask_replicas="SLAVE MONITOR"
login_option=
follow_primary() { # NUMBER PRIMARY
    sql "$1" "STOP SLAVE; CHANGE MASTER TO MASTER_HOST='10.77.0.$2', MASTER_USER='replica',
        MASTER_PASSWORD='replica', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1,
        MASTER_HEARTBEAT_PERIOD=0.5; SET GLOBAL slave_net_timeout=2; START SLAVE; SET GLOBAL read_only=ON"
}
# It has all that server 1 has.
follows() { [ "$(sql "$1" "SELECT MASTER_GTID_WAIT('$(sql 1 "SELECT @@gtid_binlog_pos")', 1)")" = 0 ]; }

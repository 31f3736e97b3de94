# shellcheck shell=bash disable=SC2154 # run assigns
# Sourced by run: database servers and application hosts on the machines of net.sh, data in memory. How a
# server is spoken to is in mariadb.sh or mysql.sh.

sql() { # NUMBER STATEMENT
    mariadb --no-defaults --socket="$dir/$1/mysql.sock" --user="$(id -un)" --batch --skip-column-names \
        --connect-timeout=2 -e "$2" 2>/dev/null
}

server_process() { cat "$dir/$1/mysql.pid"; }

# The example's content, and who reads it from other machines.
load_content() { # NUMBER
    load_example "$1"
    sql "$1" "CREATE USER populate@'%' IDENTIFIED BY 'populate'; GRANT SELECT ON ks.* TO populate@'%';
        CREATE USER populate_cache@'%' IDENTIFIED BY 'cache';
        GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO populate_cache@'%';
        CREATE USER watcher@'%' IDENTIFIED BY 'watcher'; GRANT SELECT ON ks.* TO watcher@'%';
        GRANT $right_to_ask_replicas ON *.* TO watcher@'%';
        CREATE USER replica@'%' IDENTIFIED BY 'replica'; GRANT REPLICATION SLAVE ON *.* TO replica@'%'" ||
        fail "the accounts cannot be made"
}

# Galera of Debian, unpacked beside the server that is installed.
unpack_galera() {
    galera=/var/tmp/populate-fcgi-galera
    [ ! -e "$galera/usr/lib/galera/libgalera_smm.so" ] || return 0
    mkdir -p "$galera/packages"
    (cd "$galera/packages" && apt-get -qq download galera-4 mariadb-server rsync libpopt0 >/dev/null 2>&1) ||
        fail "Galera cannot be fetched"
    local package
    for package in "$galera"/packages/*.deb; do dpkg -x "$package" "$galera"; done
}

start_node() { # NUMBER [OPTION…]
    local number=$1
    shift
    PATH=$PATH:$galera/usr/bin LD_LIBRARY_PATH=$galera/usr/lib/x86_64-linux-gnu \
        start_server "$number" --innodb-autoinc-lock-mode=2 --wsrep-on=ON \
        --wsrep-provider="$galera/usr/lib/galera/libgalera_smm.so" \
        --wsrep-cluster-address="gcomm://10.77.0.1,10.77.0.2,10.77.0.3" \
        --wsrep-node-address="10.77.0.$number" --wsrep-sst-method=rsync --wsrep-gtid-mode=ON \
        --wsrep-gtid-domain-id=10 --wsrep-provider-options="gcache.size=64M;${evs-}" "$@"
}

# After a kill: from where the node was.
restart_node() { # NUMBER
    local at
    at=$(PATH=$PATH:/usr/sbin mariadbd --no-defaults --user=nobody --datadir="$dir/$1/data" --wsrep-on=ON \
        --wsrep-provider="$galera/usr/lib/galera/libgalera_smm.so" --wsrep-recover 2>&1 |
        sed -n 's/.*Recovered position: *//p' | tail -1)
    start_node "$1" ${at:+--wsrep-start-position="$at"}
}

is_whole() { # that each node is of a cluster of three, and has what there is
    local number
    for number in 1 2 3; do
        [ "$(sql "$number" "SELECT GROUP_CONCAT(VARIABLE_VALUE ORDER BY VARIABLE_NAME) FROM
            information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN ('WSREP_CLUSTER_SIZE',
            'WSREP_CLUSTER_STATUS', 'WSREP_LOCAL_STATE', 'WSREP_READY')")" = 3,Primary,4,ON ] || return 1
    done
}

start_cluster() {
    unpack_galera
    start_node 1 --wsrep-new-cluster
    load_content 1
    start_node 2
    start_node 3
    wait_until 60 is_whole || fail "the cluster is not whole"
}

has_content() { [ "$(sql "$1" "SELECT COUNT(*) > 0 FROM ks.categories")" = 1 ]; }

start_replication() { # REPLICA…, of server 1
    start_server 1
    load_content 1
    local number
    for number; do
        start_server "$number"
        follow_primary "$number" 1
    done
    for number; do
        wait_until 30 has_content "$number" || fail "replica $number gets nothing"
    done
}

# The options of the application hosts; the database's hosts may change while they run.
write_settings() { # URL [LINE…]
    printf 'database = "%s"\n' "$1" >"$dir/host.conf"
    shift
    printf '%s\n' "schema = $tests/../build/projects/ks" "workers = 8" "request-timeout = 4s" "$@" >>"$dir/host.conf"
    # shellcheck disable=SC2086
    [ -z "${CLUSTER_OPTIONS-}" ] || printf '%s\n' ${CLUSTER_OPTIONS} >>"$dir/host.conf"
}

declare -A hosts=()
start_host() { # NUMBER
    local number=$1
    # Not by on(), whose process would be a shell.
    ip netns exec "pf-$number" "$program" --config "$dir/host.conf" --listen "tcp:10.77.0.$number:9000" \
        --listen-allow 10.77.0.254 2>>"$dir/host$number.log" &
    hosts[$number]=$!
    wait_until 60 listens "10.77.0.$number" || fail "application host $number does not listen"
}
listens() { (: >"/dev/tcp/$1/9000") 2>/dev/null; }

start_nginx() { # NUMBER…
    local number
    {
        echo "pid $dir/nginx.pid; error_log $dir/nginx.log; worker_processes 1;
            events { worker_connections 512; }
            http { access_log off; client_body_temp_path $dir/body; fastcgi_temp_path $dir/fastcgi;
            proxy_temp_path $dir/proxy; scgi_temp_path $dir/scgi; uwsgi_temp_path $dir/uwsgi;
            upstream populate_fcgi {"
        for number; do echo "server 10.77.0.$number:9000 max_fails=1 fail_timeout=5s;"; done
        echo "keepalive 32; }
            server { listen 127.0.0.1:19977; location / { include /etc/nginx/fastcgi_params;
            fastcgi_pass populate_fcgi; fastcgi_keep_conn on;"
        sed -n 's/^# *\(fastcgi_.*;\)$/\1/p' "$tests/../nginx/servers/nginx-hosts.conf"
        echo "} } }"
    } >"$dir/nginx.conf"
    nginx -c "$dir/nginx.conf" || fail "nginx does not start"
}

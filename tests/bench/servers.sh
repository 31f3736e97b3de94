# Sourced by the scripts of this folder, which set $here: what is measured, how it is built, started and
# stopped.
root=$(cd "$here/../.." && pwd)
. "$root/nginx/processes.sh"
. "$root/tests/verify.sh"
PATH=$PATH:/usr/sbin:/sbin
build=$root/build/bench
data=ks # of tests/data
run=/var/tmp/populate-fcgi-bench-$(id -u)
# What our own are by default.
workers=$((4 * $(nproc) < 8 ? 8 : 4 * $(nproc)))
database_connections=$((workers / 2))

usage() {
    sed -n '2,/^set /s/^# \?//p' "$0" >&2
    exit 64
}

# Sets $schema and $requests_file by $data.
choose_data() {
    schema=$root/build/projects/$data requests_file=$here/requests
    [ "$data" = ks ] || requests_file=$here/requests-$data
    [ -e "$requests_file" ] || fail "there are no requests for $data"
    export POPULATE_SCHEMA=$schema
}

# build TARGET…: into $build, with all that the targets need, and makes $run
build() {
    mkdir -p "$run"
    chmod 755 "$run"
    run=$(cd "$run" && pwd -P)
    mysql=$run/mysql
    "$root/nginx/install-packages" --bench
    "$root/tests/make_projects"
    (cd "$root" && cmake --preset bench &&
        cmake --build --preset bench --target "$@") >"$run/build.log" ||
        fail "cannot build" "$run/build.log"
}

# paths NAME: of a request; of the mix, 200 that were recorded with a response
paths() {
    if [ "$1" != mix ]; then
        sed -n "s/^$1 //p" "$requests_file"
        return
    fi
    gzip -dc "$root/tests/data/$data/recorded.jsonl.gz" | jq -rn '
        def groups: ["frontend", "populate-nested", "dynamiczone"];
        [inputs | select(.status == 200 and .auth == "public" and .method == "GET" and
                         (.requestHeaders | not) and (.group | IN(groups[])))]
        | sort_by(.group as $group | groups | index($group))
        | reduce .[].path as $path ({}; .[$path] = true) | keys_unsorted[:200][]'
}

sql() { mariadb --no-defaults --socket="$mysql/mysql.sock" --batch --skip-column-names "$@"; }
url() { echo "mysql://$1@localhost/$2?socket=$mysql/mysql.sock"; }

# start_database TIMES: sets $database, one that holds the example TIMES times. $log is `yes` where it is to
# write a log that caches follow.
log=
start_database() {
    local dump=$root/tests/data/$data/dump.sql.gz mark=$mysql/$data$1.grown sum options=()
    [ -z "$log" ] || options=(--log-bin=log --server-id=1 --binlog-format=ROW)
    "$root/nginx/database" start "$mysql" "${options[@]}"
    [ -z "$log" ] || create_cache_account
    "$root/nginx/database" load "$mysql" "$data" "$dump"
    database=$data
    [ "$1" != 1 ] || return 0
    database=$data$1
    sum=$(cat "$dump" "$here/grow.cpp" | cksum)
    [ "$(cat "$mark" 2>/dev/null)" != "$sum" ] || return 0
    "$root/nginx/database" create "$mysql" "$database"
    "$here/grow_database" "$build" "$schema" "$(url "$(id -un)" "$data")" "$1" \
        "$(url "$(id -un)" "$database")" >"$run/grow.log" 2>&1 || fail "cannot grow" "$run/grow.log"
    echo "$sum" >"$mark"
}

# create_cache_account: the one that may follow the log
create_cache_account() {
    sql -e "CREATE OR REPLACE USER cache@localhost IDENTIFIED BY 'cache';
        GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO cache@localhost"
    printf cache >"$run/cache-password"
}

# start_stack NAME SHARE-REQUESTS: a stack of nginx/up, whose URL becomes $NAME
start_stack() {
    POPULATE_WORKERS=${POPULATE_WORKERS-$workers} POPULATE_SHARE_REQUESTS=$2 "$root/nginx/up" \
        --run "$run/$1" --port 18480 --schema "$schema" --program "$program" \
        --database "$(url populate:populate "$database")" >"$run/up.log" 2>&1 ||
        fail "no stack" "$run/up.log"
    declare -g "$1=$(. "$run/$1/stack.env" && echo "$STACK_URL")"
}

# start_caching_stack NAME MODE: likewise, with the cache on
start_caching_stack() {
    POPULATE_CACHE=$2 POPULATE_CACHE_USER=cache POPULATE_CACHE_PASSWORD_FILE=$run/cache-password \
        start_stack "$1" off
}

# start_strapi: one on $database, at $reference, which ends when its standard input does
start_strapi() {
    local version=${data#ks} # none of 4
    coproc strapi {
        # shellcheck disable=SC2016 # for the shell that it starts
        "$root/tests/reference/serve" "${version:-4}" --on "$mysql/mysql.sock" "$database" \
            bash -c 'echo "$REFERENCE_URL"; cat >/dev/null' 2>"$run/strapi.log"
    }
    read -r reference <&"${strapi[0]}" || fail "no Strapi" "$run/strapi.log"
}

stop_strapi() {
    [ -n "${strapi_PID-}" ] || return 0
    exec {strapi[1]}>&-
    wait "$strapi_PID"
}

# start_kept PATHS-FILE: what sends the responses of ours to these
start_kept() {
    "$build/tests/bench/kept" "$1" "$run/kept.sock" "$(. "$run/ours/stack.env" && echo "$STACK_SOCKET")" \
        </dev/null >"$run/kept.log" 2>&1 &
    echo $! >"$run/kept.pid"
    wait_until 10 test -S "$run/kept.sock" || fail "nothing is kept" "$run/kept.log"
}

# start_floor REQUESTS-FILE
start_floor() {
    "$build/tests/bench/floor" "$1" "$run/floor.sock" "$database_connections" "$mysql/mysql.sock" "$database" \
        </dev/null >"$run/floor.log" 2>&1 &
    echo $! >"$run/floor.pid"
    wait_until 10 test -S "$run/floor.sock" || fail "no floor" "$run/floor.log"
}

start_php() {
    local program
    program=$(compgen -G '/usr/sbin/php-fpm*' | tail -1)
    cat >"$run/php-fpm.conf" <<END
[global]
error_log = $run/php-fpm.log
daemonize = no
[www]
listen = $run/php.sock
pm = static
pm.max_children = $database_connections
env[DATABASE] = $database
env[DATABASE_SOCKET] = $mysql/mysql.sock
END
    local options=(--fpm-config "$run/php-fpm.conf" --nodaemonize)
    if [ "$(id -u)" = 0 ]; then
        options+=(--allow-to-run-as-root)
        printf 'user = root\ngroup = root\n' >>"$run/php-fpm.conf"
    fi
    "$program" "${options[@]}" </dev/null >"$run/php-fpm.log" 2>&1 &
    echo $! >"$run/php-fpm.pid"
    wait_until 10 test -S "$run/php.sock" || fail "no PHP" "$run/php-fpm.log"
}

port_is_free() { ! (: >"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# An nginx with the configuration that ours has, for another responder.
# configure_nginx NAME SOCKET: sets $port, from which on two are free; the configuration lacks its last brace
port=18580
configure_nginx() {
    local dir=$run/$1 ours_port=${ours##*:} socket
    socket=$(. "$run/ours/stack.env" && echo "$STACK_SOCKET")
    port=$((port + 2))
    until port_is_free $port && port_is_free $((port + 1)); do port=$((port + 2)); done
    mkdir -p "$dir/nginx-temp"
    sed -e "s|unix:$socket|unix:$2|; s|127.0.0.1:$ours_port|127.0.0.1:$port|" \
        -e "s|$run/ours/|$dir/|; \$d" "$run/ours/nginx.conf" >"$dir/nginx.conf"
}

# begin_nginx NAME
begin_nginx() {
    local options=(-p "$run/$1" -c "$run/$1/nginx.conf" -e "$run/$1/nginx.log")
    [ "$(id -u)" != 0 ] || options+=(-g "user $(id -un) $(id -gn);")
    nginx "${options[@]}" || fail "no nginx for $1" "$run/$1/nginx.log"
}

# Sets $floor and $php, URLs.
start_nginx_of_others() {
    configure_nginx others "$run/floor.sock"
    cat >>"$run/others/nginx.conf" <<END
    upstream php {
        server "unix:$run/php.sock";
    }
    server {
        listen 127.0.0.1:$((port + 1));
        fastcgi_buffer_size 64k;
        fastcgi_buffers 4 256k;
        location / {
            include /etc/nginx/fastcgi_params;
            fastcgi_param SCRIPT_FILENAME "$here/php\$document_uri";
            fastcgi_pass php;
        }
    }
}
END
    begin_nginx others
    floor=http://127.0.0.1:$port php=http://127.0.0.1:$((port + 1))
}

# Sets $kept and $static, which has the files of $run/static with the headers that ours has.
start_nginx_of_kept() {
    configure_nginx kept "$run/kept.sock"
    cat >>"$run/kept/nginx.conf" <<END
    server {
        listen 127.0.0.1:$((port + 1));
        sendfile on;
        gzip on;
        gzip_types application/json;
        default_type "application/json; charset=utf-8";
        root "$run/static";
        add_header Vary "Origin, Authorization, Strapi-Response-Format, Accept-Encoding";
    }
}
END
    begin_nginx kept
    kept=http://127.0.0.1:$port static=http://127.0.0.1:$((port + 1))
}

stop_servers() {
    local name
    stop "$run/others/nginx.pid" nginx QUIT
    stop "$run/kept/nginx.pid" nginx QUIT
    stop "$run/floor.pid" floor
    stop "$run/kept.pid" kept
    stop "$run/php-fpm.pid" "$(basename "$(compgen -G '/usr/sbin/php-fpm*' | tail -1)")"
    for name in ours shared before cached bounded; do
        [ ! -d "$run/$name" ] || "$root/nginx/down" --run "$run/$name"
    done
}

# is_idle: whether the processors have had next to nothing to do for a tenth of a second
is_idle() {
    { head -n 1 /proc/stat && sleep 0.1 && head -n 1 /proc/stat; } | awk '
        { idle = $5 + $6 - idle; all = $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9 - all }
        END { exit idle < 0.9 * all }'
}

# cpu PIDFILE [USER]: µs of processor time that the process and its children took, in all their threads; with
# USER, outside of the kernel alone
cpu() {
    local pid child
    pid=$(cat "$1")
    for child in $pid ${pid:+$(cat "/proc/$pid/task/$pid/children")}; do
        sed 's/.*) //' "/proc/$child/stat"
    done | awk -v tick="$(getconf CLK_TCK)" -v user="${2-}" '
        { sum += $12 + (user ? 0 : $13) } END { print sum / tick * 1e6 }'
}

# counters APPLICATION-PIDFILE NGINX-PIDFILE: what only grows, as JSON
counters() {
    printf '{"db_us": %s, "app_us": %s, "app_user_us": %s, "nginx_us": %s, "statements": %s}' \
        "$(cpu "$mysql/mysql.pid")" "$(cpu "$1")" "$(cpu "$1" user)" "$(cpu "$2")" \
        "$(sql -e "SHOW GLOBAL STATUS LIKE 'Com_select'" | cut -f2)"
}

# shellcheck shell=bash disable=SC2154 # run assigns
# Part of run.
#
# Two application hosts behind one nginx, each on an address of its own of this machine. nginx asks from
# 127.0.0.2, and nobody else may. The CMS is a stub.

declare -A host_process=()
# start_host NUMBER
start_host() {
    local address=127.0.0.1$1
    POPULATE_LISTEN=tcp:$address:$((port + 50)) POPULATE_LISTEN_ALLOW=127.0.0.2 \
        POPULATE_REQUEST_TIMEOUT=4s "$program" >>"$dir/host$1.log" 2>&1 &
    host_process[$1]=$!
    children+=($!)
    wait_until 60 listens "$address"
}
listens() { (: >"/dev/tcp/$1/$((port + 50))") 2>/dev/null; }
# end_host NUMBER SIGNAL
end_host() {
    kill "-$2" "${host_process[$1]}"
    wait "${host_process[$1]}" || [ "$2" != TERM ]
}

# The guide in nginx-hosts.conf, as it says.
site_with_hosts() {
    local lines
    lines=$(sed -n 's/^# *\(fastcgi_.*;\)$/\1/p' "$examples/nginx-hosts.conf")
    [ "$(wc -l <<<"$lines")" = 4 ] || fail "nginx-hosts.conf has other lines for the location"
    example nginx-hosts.conf "s|10.0.0.11:9000|127.0.0.11:$((port + 50))|" \
        "s|10.0.0.12:9000|127.0.0.12:$((port + 50))|"
    example nginx/http.conf "s|127.0.0.1:1337|unix:$dir/cms.sock|" | sed '/^upstream populate_fcgi {/,/^}/d'
    echo "server { listen 127.0.0.1:$port; location / { proxy_pass http://populate_cms;"
    example nginx/reads.conf "s|/usr/share/populate-fcgi|$examples|" | sed '/fastcgi_\(connect\|read\)_timeout/d' |
        awk -v lines="$lines" '{ print } /fastcgi_keep_conn on;/ { print lines; print "fastcgi_bind 127.0.0.2;" }'
    echo "} }"
}

# asked_during COMMAND…: requests one after another, until the command has ended; their statuses and the
# longest of their times are in $dir/asked.
asked_during() {
    local asking
    touch "$dir/asks"
    : >"$dir/asked" # which is looked at before the background has opened it
    while [ -e "$dir/asks" ]; do
        curl -gs -o /dev/null --max-time 20 -w '%{http_code} %{time_total}\n' "$url/api/tags?fields=name"
    done >>"$dir/asked" &
    asking=$!
    "$@"
    rm "$dir/asks"
    wait $asking
}
# some_are_asked: ten more, however fast the machine is
some_are_asked() {
    wait_until 60 more_are_asked $(($(wc -l <"$dir/asked") + 10)) || fail "hardly anything is asked"
}
more_are_asked() { [ "$(wc -l <"$dir/asked")" -ge "$1" ]; }
all_were_answered() {
    expect 200 echo "$(cut -d' ' -f1 "$dir/asked" | sort -u)"
    awk -v most="$1" '$2 > most { exit 1 }' "$dir/asked" || fail "an answer took longer than $1 s"
}

dies() { some_are_asked && end_host "$1" KILL && some_are_asked && start_host "$1" && some_are_asked; }
is_restarted() { some_are_asked && end_host "$1" TERM && start_host "$1" && some_are_asked; }
falls_silent() {
    some_are_asked
    kill -STOP "${host_process[$1]}"
    some_are_asked
    kill -CONT "${host_process[$1]}"
}

nginx_hosts() {
    choose_port 19880
    cp /etc/nginx/fastcgi_params "$dir"
    site_with_hosts >"$dir/site.conf"
    start_host 1
    start_host 2
    start_nginx "include $dir/site.conf;
        server { listen unix:$dir/cms.sock; location / { return 200 \"CMS\"; } }"
    expect CMS curl -s "$url/"

    for number in 1 2; do
        for event in dies is_restarted; do
            asked_during $event $number
            all_were_answered 4
        done
    done
    asked_during falls_silent 1
    all_were_answered 15 # fastcgi_read_timeout, with time for a busy machine
    expect 200 status "$url/api/tags"

    # From 127.0.0.1.
    grep -q 'refused a connection from 127.0.0.1: listen-allow' "$dir/host1.log" || fail "it let anybody in"

    end_host 1 TERM
    end_host 2 TERM
    expect CMS curl -s "$url/api/tags"
    # Without their database the CMS answers, however often they are asked.
    export POPULATE_DATABASE="mysql://nobody@localhost/content?socket=$dir/none.sock"
    start_host 1
    start_host 2
    for _ in $(seq 30); do expect CMS curl -s "$url/api/tags"; done
    grep -q 'database error 2002' "$dir/host1.log" "$dir/host2.log" || fail "they were not asked"
}

# shellcheck shell=bash disable=SC2154 # run assigns
# Part of run.
#
# Clients of nginx that read nothing, or send reads with a body that does not end; the program is fastcgi-test-server.

# nginx's files have no name any more, but its workers hold them.
temporary_bytes() {
    find /proc/[0-9]*/fd \( -lname "$dir/fastcgi/*" -o -lname "$dir/body/*" -o -lname "$dir/proxy/*" \) -exec stat -L -c %s {} + 2>/dev/null |
        awk '{ total += $1 } END { printf "%d\n", total }' || true
}
value_size() { curl -gsS --max-time $patience "$url/api/x?uri=/bytes?$1" | wc -c; }
is_refused() { [ "$(status "$url/api/x?uri=/bytes?10")" = 429 ]; }
# add_clients COUNT URI
add_clients() {
    local client
    for _ in $(seq "$1"); do
        exec {client}<>"/dev/tcp/127.0.0.1/$port"
        printf 'GET /api/x?uri=%s HTTP/1.1\r\nHost: x\r\n\r\n' "$2" >&"$client"
    done
}
slow_readers() {
    choose_port 19680
    local most=$((60 * 4 * 1024 * 1024 * 5 / 4)) before=-1 now=0 never
    mkfifo "$dir/never"
    exec {never}<>"$dir/never" # what ends /block
    "$program" "unix:$socket" 1 0 workers=200 memory=4294967296 acquire=60000 drain=100 <&"$never" >/dev/null \
        2>"$dir/program.log" &
    children+=($!)
    sed 's|REQUEST_URI $request_uri;|REQUEST_URI $arg_uri;|' "$tests/../nginx/locations.conf" \
        >"$dir/locations.conf"
    front "$dir/locations.conf"
    wait_until 60 test -S "$socket"
    expect 1000 value_size 1000
    add_clients 60 /bytes?20000000
    while [ "$now" -ne "$before" ] || [ "$now" -eq 0 ]; do # until it grows no more
        before=$now
        sleep 1
        now=$(temporary_bytes)
        [ "$now" -le "$most" ] || fail "60 readers fill $now bytes of files"
    done
    echo "60 readers fill $now bytes of files"
    expect 1000 value_size 1000
    # These are under way until the end, however slow the machine is.
    add_clients 70 /block
    wait_until 60 is_refused
}

# No file of nginx's lets it write more of a body than the site alone does. Varnish is nginx with origin.conf here.
unfinished_bodies() {
    local address=127.$(($$ >> 16)).$(($$ >> 8 & 255)).$(($$ & 255)) first=20850 never site sites blocks= alone file
    mkfifo "$dir/never"
    exec {never}<>"$dir/never"
    "$program" "unix:$socket" 1 0 workers=200 memory=4294967296 acquire=60000 drain=100 <&"$never" >/dev/null \
        2>"$dir/program.log" &
    children+=($!)
    wait_until 60 test -S "$socket"
    cp /etc/nginx/fastcgi_params "$dir"
    for file in "$examples"/nginx/*.conf; do
        sed "s|unix:/run/populate-fcgi.sock|unix:$socket|; s|/usr/share/populate-fcgi/nginx|$dir|
            s|127.0.0.1:1337|unix:$dir/cms.sock|; s|127.0.0.1:6081|$address:$first|" "$file" >"$dir/${file##*/}"
    done
    sites=("include $dir/origin.conf;" "location / { proxy_pass http://populate_cms; }"
        "location / { proxy_pass http://populate_cms; include $dir/reads.conf; }" "include $dir/api.conf;"
        "location / { proxy_pass http://populate_cms; include $dir/varnish-reads.conf; }"
        "include $dir/api.conf; include $dir/varnish.conf;" "include $tests/../nginx/locations.conf;")
    for site in "${!sites[@]}"; do
        blocks+="server { listen $address:$((first + 2 * site)); listen $address:$((first + 2 * site + 1)) http2; ${sites[site]} }"
    done
    url=http://$address:$first
    start_nginx "client_max_body_size 0; proxy_request_buffering off; proxy_http_version 1.1; include $dir/http.conf; $blocks
        server { listen unix:$dir/cms.sock; location / { proxy_pass http://unix:$dir/read.sock:; } }
        server { listen unix:$dir/read.sock; return 200 CMS; }"
        alone=$(bytes_of_bodies $((first + 2)))
    for site in "${!sites[@]}"; do
        [ "$(bytes_of_bodies $((first + 2 * site)))" -le "$alone" ] || fail "${sites[site]} lets nginx write bodies of reads"
    done
}
# bytes_of_bodies PORT: on the disk, while clients there send reads with a body
bytes_of_bodies() {
    local sender bytes
    coproc sender { exec node "$tests/servers/bodies.js" "$address" "$1" 2>&1; }
    read -r -t $patience bytes <&"${sender[0]}" || fail "nothing is sent"
    temporary_bytes
    kill "$sender_PID"
    wait "$sender_PID" || true
}

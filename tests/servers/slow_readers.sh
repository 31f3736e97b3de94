# shellcheck shell=bash disable=SC2154 # run assigns
# Part of run.
#
# Clients of nginx that read nothing; the program is fastcgi-test-server.

# nginx's files have no name any more, but its workers hold them.
temporary_bytes() {
    find /proc/[0-9]*/fd -lname "$dir/fastcgi/*" -exec stat -L -c %s {} + 2>/dev/null |
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
    wait_until 20 test -S "$socket"
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
    wait_until 20 is_refused
}

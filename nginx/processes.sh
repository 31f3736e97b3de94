# Sourced by the scripts in this folder: processes known by a pid file. The name guards against a pid
# that has been given to someone else since.

# runs PIDFILE NAME
runs() {
    local pid
    pid=$(cat "$1" 2>/dev/null) && [ "$pid" ] &&
        [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] && ! is_gone "$pid"
}

# is_itself PID NAME: what was just started is the program of this name by now, which `stop` knows it by, or has ended.
# Nothing is started to find that out, since who interrupts this would end it.
is_itself() {
    local name state
    ! read -r _ name state _ 2>/dev/null <"/proc/$1/stat" || [ "$name" = "($2)" ] || [ "$state" = Z ]
}

# wait_until SECONDS COMMAND…: polls until the command succeeds; fails when time is up.
wait_until() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# stop PIDFILE NAME [SIGNAL]: asks the process to end, and after 20 seconds makes it.
stop() {
    if runs "$1" "$2"; then
        local pid
        pid=$(cat "$1")
        kill "-${3-TERM}" "$pid" 2>/dev/null || true
        if ! wait_until 20 is_gone "$pid"; then
            kill -KILL "$pid" 2>/dev/null || true
            wait_until 30 is_gone "$pid"
        fi
    fi
    rm -f "$1"
}

# A zombie that nobody reaps counts as gone.
is_gone() {
    local state
    state=$(sed -n 's/^State:\s*\(.\).*/\1/p' "/proc/$1/status" 2>/dev/null) || true
    [ -z "$state" ] || [ "$state" = Z ]
}

# Sourced by tests that are scripts: counts what holds in $passed and $failed, and asks the server of
# `tests/with database`.
passed=0 failed=0

sql() { mariadb --no-defaults --socket="$POPULATE_TEST_SOCKET" --batch --skip-column-names "$@"; }

# fail MESSAGE [LOG]: ends the script
fail() {
    echo "${0##*tests/}: $1" >&2
    [ ! -s "${2-}" ] || tail -n 30 "$2" >&2
    exit 1
}

# verify NAME [COMMAND…]: the command, or else the function of that name, prints what is wrong.
verify() {
    local name=$1 wrong
    [ $# = 1 ] || shift
    if wrong=$("$@" 2>&1) && [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: failed\n%s\n' "$name" "$wrong"
    fi
}

# The last command of a script: whether all held.
verified() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
verify_all() { # NAME…
    local name
    for name in "$@"; do verify "$name"; done
    verified
}

# Sourced by tests that are scripts: counts what holds in $passed and $failed, and asks the server of
# `tests/with database`.
passed=0 failed=0

sql() { mariadb --no-defaults --socket="$POPULATE_TEST_SOCKET" --batch --skip-column-names "$@"; }

# verify NAME COMMAND…: the command prints what is wrong.
verify() {
    local name=$1 wrong
    shift
    if wrong=$("$@" 2>&1) && [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: failed\n%s\n' "$name" "$wrong"
    fi
}

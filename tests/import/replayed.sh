# Sourced, with PROGRAM REPLAY EXAMPLE: the database of an example (ks or ks5), and how the recorded requests are answered
# from others. Needs `tests/with database`.
program=$1 replay=$2 example=$3
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$tests/verify.sh"
. "$tests/../nginx/processes.sh"
data=$tests/data/$example project=$tests/../build/projects/$example
differences=$tests/conformance/differences.json
dir=$(mktemp -d /tmp/populate.XXXXXX)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
url() { echo "mysql://$(id -un)@localhost/$1?socket=$POPULATE_TEST_SOCKET"; }
if [ "$example" = ks5 ]; then
    differences=$tests/conformance/differences-ks5.json
    "$tests/../nginx/database" load "$(dirname "$POPULATE_TEST_SOCKET")" ks5 "$data/dump.sql.gz"
fi

# answers DATABASE: how all recorded requests are answered from it, as differences from the record, in DATABASE.answers
answers() {
    POPULATE_JWT_SECRET=$(jq -r .JWT_SECRET "$data/secrets.json") \
        POPULATE_API_TOKEN_SALT=$(jq -r .API_TOKEN_SALT "$data/secrets.json") \
        "$program" serve --schema "$project" --database "$(url "$1")" \
        --listen "unix:$dir/$1.sock" 2>"$dir/$1.log" &
    server=$!
    wait_until 60 test -S "$dir/$1.sock" || fail "it does not serve" "$dir/$1.log"
    "$replay" --records "$data/recorded.jsonl.gz" --secrets "$data/secrets.json" \
        --differences "$differences" --socket "$dir/$1.sock" \
        --list --at-least 0 >"$dir/$1.answers"
    kill "$server"
    wait "$server" || true
    server=
}

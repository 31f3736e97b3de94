# Sourced by the tests of `populate-fcgi check`: $program, $original (a project), a folder $dir for what they
# make, and $socket of the server of `tests/with database`.
program=$1
original=$2
tests=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
example=$tests/data/ks
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
socket=${POPULATE_TEST_SOCKET-}
unset "${!POPULATE_@}"
checked=0 failed=0

owner() {
    mariadb --socket="$socket" -u "$(id -un)" -e "$1"
}

# described [FILTER]: the CMS, whose database is that of the test, describes itself as it is now.
described() {
    "$tests/described" "$dir/project" \
        ".settings.database += {socket: \"$socket\", name: \"ks\"} | ${1:-.}" >"$dir/description.json"
}

# A copy of the project, whose CMS has described itself, and settings that fit.
secret() { jq -r ".$1" "$example/secrets.json"; }
fresh() {
    rm -rf "$dir/project"
    cp -r "$original" "$dir/project"
    cat >"$dir/project/.env" <<ENV
JWT_SECRET=$(secret JWT_SECRET)
export API_TOKEN_SALT='$(secret API_TOKEN_SALT)' # of the tokens
ENV
    described
    printf 'jwt-secret = %s\napi-token-salt = %s\n' "$(secret JWT_SECRET)" "$(secret API_TOKEN_SALT)" >"$dir/secrets"
    settings=(--config "$dir/secrets" --schema "$dir/project" --description "$dir/description.json"
        --database "mysql://populate:populate@localhost/ks?socket=$socket")
}

# judge STATUS PATTERN OUTPUT EXPECTED: counts a case, and prints it where it is another.
judge() {
    checked=$((checked + 1))
    if [ "$1" != "$4" ] || ! grep -qE -- "$2" <<<"$3"; then
        failed=$((failed + 1))
        printf 'expected %s and "%s", got %s and:\n%s\n' "$4" "$2" "$1" "$3"
    fi
}

# finds STATUS 'PATTERN': the exit code, and a line that matches; with PATTERN empty the last line says that all
# is well.
finds() {
    local status=0 found
    found=$("$program" check "${settings[@]}" 2>&1) || status=$?
    judge "$status" "${2:-^schema, configuration and database agree$}" "$found" "$1"
}

# finds_not 'PATTERN': no line matches.
finds_not() {
    local found
    found=$("$program" check "${settings[@]}" 2>&1)
    judge "$(grep -cE -- "$1" <<<"$found")" '' "$found" 0
}

summary() {
    echo "$checked checks, $failed failed"
    [ $failed = 0 ]
}

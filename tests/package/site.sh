# Sourced, with $source: a live site on this machine, and how it is asked. Its database is that of the example;
# its CMS is a stub that says what it was asked.
. "$source/nginx/processes.sh"

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

block() { "$source/tests/readme/block" "$@"; }
# follow DOCUMENT N: runs it
follow() { block "$@" | bash -e; }

# Of secrets.json of the example: an entry, and the settings on stdin with those that they name.
secret() { jq -er "$1" "$source/tests/data/ks/secrets.json"; }
with_secrets() {
    sed -E "s/\"JWT_SECRET of the CMS\"/\"$(secret .JWT_SECRET)\"/
            s/\"API_TOKEN_SALT of the CMS\"/\"$(secret .API_TOKEN_SALT)\"/"
}

ask() { curl -gsS --max-time 10 -H 'Host: cms.example.org' "http://127.0.0.1$1" "${@:2}"; }

status() { ask "$1" -o /dev/null -w '%{http_code}' "${@:2}"; }

# expect EXPECTED COMMAND…
expect() {
    local expected=$1 got
    shift
    got=$("$@") || true
    [[ $got == $expected ]] || fail "$*: expected $expected, got $got"
    printf "$(basename "$0"): %.100s: %.60s\n" "$*" "$got"
}

# apt-get asks nobody, and keeps settings that were changed.
ask_nothing() {
    export DEBIAN_FRONTEND=noninteractive
    echo 'APT::Get::Assume-Yes "true"; DPkg::Options { "--force-confold"; };' >/etc/apt/apt.conf.d/90yes
}

# The machine as it was before: database, CMS, nginx.
start_site() {
    cp -r "$source/tests/data/ks/project" /srv/cms
    mariadb -e 'CREATE DATABASE cms'
    gzip -dc "$source/tests/data/ks/dump.sql.gz" | mariadb cms
    echo 'server { listen 127.0.0.1:1337; location / { return 200 "CMS $request_method $request_uri"; } }' \
        >/etc/nginx/conf.d/stub-cms.conf
    echo 'server { listen 80; server_name cms.example.org; location / { proxy_pass http://127.0.0.1:1337; } }' \
        >/etc/nginx/sites-enabled/cms
    systemctl reload nginx
    wait_until 10 is_the_cms || fail "the CMS does not answer: $(ask /api/tags)"
    expect 'CMS GET /api/articles?sort=id' ask '/api/articles?sort=id'
}
is_ours() { [[ $(ask /api/tags) == '{"data":['* ]]; }
is_the_cms() { [[ $(ask /api/tags) == 'CMS GET /api/tags' ]]; }

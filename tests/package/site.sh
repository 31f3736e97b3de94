# Sourced, with $source: a live site on this machine, and how it is asked. Its database is that of the example; its CMS
# is a stub that says what it was asked, where `beside_strapi` has not started Strapi.
. "$source/nginx/processes.sh"
example=$source/tests/data/ks
"$source/tests/make_projects"

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

block() { "$source/tests/readme/block" "$@"; }
# follow DOCUMENT N: runs it
follow() { block "$@" | bash -e; }

# Of secrets.json of the example: an entry, and the settings on stdin with those that they name.
secret() { jq -er "$1" "$example/secrets.json"; }
with_secrets() {
    sed -E "s/\"JWT_SECRET of the CMS\"/\"$(secret .JWT_SECRET)\"/
            s/\"API_TOKEN_SALT of the CMS\"/\"$(secret .API_TOKEN_SALT)\"/"
}

ask() { curl -gsS --max-time 60 -H 'Host: cms.example.org' "http://127.0.0.1$1" "${@:2}"; }

status() { ask "$1" -o /dev/null -w '%{http_code}' "${@:2}"; }

# expect EXPECTED COMMAND…
expect() {
    local expected=$1 got
    shift
    got=$("$@") || true
    [[ $got == $expected ]] || fail "$*: expected $expected, got $got"
    printf "$(basename "$0"): %.100s: %.60s\n" "$*" "$got"
}

# apt-get asks nobody whether to go on; of settings dpkg would still ask.
ask_nothing() {
    export DEBIAN_FRONTEND=noninteractive
    echo 'APT::Get::Assume-Yes "true";' >/etc/apt/apt.conf.d/90yes
}

site=/etc/nginx/sites-available/cms
# What an owner types to switch: four lines.
switch() {
    local line typed
    typed=$(for line in 3 4 5 6; do block live-site $line; done)
    [ "$(wc -l <<<"$typed")" -le 4 ] || fail "more than four lines: $typed"
    for line in 3 4; do block live-site $line | sed 's/sudo //' | bash -e; done
    sed -i "s|location / {[^}]*|&$(block live-site 5) |" "$site"
    block live-site 6 | sed 's/sudo //g' | bash -e
}

# The stub cannot say what it is: its description is of a project without code of its own.
describe_site() {
    local folder=/var/lib/populate-fcgi-cms
    mkdir -p -m 2750 $folder
    "$source/tests/described" /srv/cms '.settings.database += {host: "localhost", name: "cms"}' >$folder/description.json
    chgrp -R populate-fcgi $folder
    chmod 640 $folder/description.json
}

# The machine as it was before: database, CMS, nginx.
start_site() {
    cp -r "$source/build/projects/ks" /srv/cms
    printf '%s\n' DATABASE_CLIENT=mysql DATABASE_NAME=cms "JWT_SECRET=$(secret .JWT_SECRET)" \
        "API_TOKEN_SALT=$(secret .API_TOKEN_SALT)" >/srv/cms/.env
    describe_site
    mariadb -e 'CREATE DATABASE cms'
    gzip -dc "$example/dump.sql.gz" | mariadb cms
    echo 'server { listen 127.0.0.1:1337; location / { return 200 "CMS $request_method $request_uri"; } }' \
        >/etc/nginx/conf.d/stub-cms.conf
    echo 'server { listen 80; server_name cms.example.org; location / { proxy_pass http://127.0.0.1:1337; } }' \
        >"$site"
    ln -sf ../sites-available/cms /etc/nginx/sites-enabled/cms
    systemctl reload nginx
    wait_until 30 is_the_cms || fail "the CMS does not answer: $(ask /api/tags)"
    expect 'CMS GET /api/articles?sort=id' ask '/api/articles?sort=id'
}
is_ours() { [[ $(ask /api/tags) == '{"data":['* ]]; }
is_the_cms() { [[ $(ask /api/tags) == 'CMS GET /api/tags' ]]; }

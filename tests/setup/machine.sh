# Sourced by the test of `populate-fcgi setup` with the program: a machine with a site, as far as setup sees it, below
# $dir, and what is asked of it. Nothing of the system's own is started or written.
dir=$(mktemp -d /tmp/setup.XXXXXX)
trap 'umount "$dir/etc" 2>/dev/null; rm -rf "$dir"' EXIT
chmod 755 "$dir"
cp "$1" "$dir/populate-fcgi"
program=$dir/populate-fcgi settings=$dir/etc/populate-fcgi.conf tools=$dir/tools
description=$dir/description.json secrets=$source/tests/data/ks/secrets.json
server=$POPULATE_TEST_SOCKET
unset "${!POPULATE_@}"
POPULATE_TEST_SOCKET=$server # for sql
mkdir "$tools"
PATH=$tools:/usr/sbin:$PATH

# tool NAME SCRIPT: is found in the place of the system's.
tool() {
    printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
    chmod 755 "$tools/$1"
}
tool systemctl 'echo "$*" >&2; exit 1'

# A site as it is before: project, settings of the package, no account.
machine() {
    sql -e 'DROP USER IF EXISTS nobody@localhost'
    rm -rf "$dir/cms" "$dir/etc"
    mkdir -p "$dir/etc"
    cp "$source/nginx/package/populate-fcgi.conf" "$settings"
    cp -r "$source/build/projects/ks" "$dir/cms"
    cat >"$dir/cms/.env" <<END
PORT=1337
JWT_SECRET="$(jq -r .JWT_SECRET "$secrets")"
API_TOKEN_SALT="$(jq -r .API_TOKEN_SALT "$secrets")"
END
    described
}
# described [FILTER]: the CMS describes itself as it is now
described() {
    "$source/tests/described" "$dir/cms" \
        ".settings.database += {host: \"localhost\", name: \"ks\", user: \"strapi\"} | ${1:-.}" >"$description"
}
# Another CMS: with this in its .env, or with this FILTER.
env_says() { machine && echo "$1" >>"$dir/cms/.env" && described; }
cms_says() { machine && described "$1"; }

setup() {
    "$program" setup "$dir/cms" --config "$settings" --description "$description" --user nobody --socket "$server" "$@"
}
# Its status line goes to $dir/said.
as_nobody() { /usr/sbin/runuser -u nobody -- "$program" "$@" --config "$settings" 2>"$dir/said"; }

# equal EXPECTED COMMAND…
equal() {
    local expected=$1 got
    shift
    got=$("$@" 2>&1)
    [ "$got" = "$expected" ] || printf '%s\n  expected %s\n  got %s\n' "$*" "$expected" "$got"
}
status() {
    "$@" >"$dir/said" 2>&1
    echo $?
}
# says STATUS 'PATTERN' [OPTION…]: what setup ends with, and a line that it prints.
says() {
    local expected=$1 pattern=$2
    shift 2
    equal "$expected" status setup "$@"
    grep -qE -- "$pattern" "$dir/said" || printf 'expected %s, got\n%s\n' "$pattern" "$(cat "$dir/said")"
}

grants() { sql -e 'SHOW GRANTS FOR nobody@localhost' 2>/dev/null | grep -v USAGE; }
seen_by_nobody() {
    /usr/sbin/runuser -u nobody -- mariadb --no-defaults --default-character-set=utf8mb4 --socket="$server" -BNr -e 'SHOW DATABASES' | grep -vx information_schema
}
# All that setup may change.
state() {
    sql -e "SELECT User, Host, plugin FROM mysql.user ORDER BY 1, 2; SELECT * FROM mysql.db ORDER BY 1, 2, 3"
    find "$dir/etc" -mindepth 1 -printf '%P %i %m %u %g %s %T@\n' | sort
    cat "$settings" 2>/dev/null
}

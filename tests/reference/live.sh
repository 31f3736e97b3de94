# Sourced by the scripts of this folder, which set $here and $version, 4 or 5: a live Strapi of that version
# on a private database with the example of tests/data, and what it takes to ask it.
root=$(cd "$here/../.." && pwd)
case $version in
4) data=$root/tests/data/ks ;;
5) data=$root/tests/data/ks5 ;;
esac
. "$root/nginx/processes.sh"

packages=$("$here/install" "$version")
# Short, since it holds sockets, and below /tmp, which the server's own account can reach.
dir=$(mktemp -d /tmp/populate.XXXXXX)
chmod 711 "$dir"
trap finish EXIT

finish() {
    stop_all
    "$root/nginx/database" stop "$dir/mysql"
    rm -rf "$dir"
}

stop_all() {
    stop "$dir/cms.pid" node
    stop "$dir/populate-fcgi.pid" populate-fcgi
}

# fail MESSAGE [LOG]
fail() {
    echo "reference: $1" >&2
    [ -z "${2-}" ] || tail -n 30 "$2" >&2
    exit 1
}

secret() { jq -r "$1" "$data/secrets.json"; }

export TZ=UTC NODE_ENV=production STRAPI_TELEMETRY_DISABLED=true
APP_KEYS=$(secret '.APP_KEYS | if type == "array" then join(",") else . end')
ENCRYPTION_KEY=$(secret '.ENCRYPTION_KEY // ""')
ADMIN_JWT_SECRET=$(secret .ADMIN_JWT_SECRET)
TRANSFER_TOKEN_SALT=$(secret .TRANSFER_TOKEN_SALT)
JWT_SECRET=$(secret .JWT_SECRET)
API_TOKEN_SALT=$(secret .API_TOKEN_SALT)
POPULATE_JWT_SECRET=$JWT_SECRET
POPULATE_API_TOKEN_SALT=$API_TOKEN_SALT
export APP_KEYS ADMIN_JWT_SECRET TRANSFER_TOKEN_SALT JWT_SECRET API_TOKEN_SALT ENCRYPTION_KEY
export POPULATE_JWT_SECRET POPULATE_API_TOKEN_SALT
[ "$version" = 4 ] || export DATABASE_CLIENT=mysql
export DATABASE_SOCKET=$dir/mysql/mysql.sock

sql() { mariadb --no-defaults --socket="$DATABASE_SOCKET" --user="$(id -un)" "$@"; }

start_database() {
    "$root/nginx/database" start "$dir/mysql"
    "$root/nginx/database" load "$dir/mysql" example "$data/dump.sql.gz"
    sql -e "CREATE USER strapi@localhost IDENTIFIED BY 'strapi'; GRANT ALL ON *.* TO strapi@localhost"
}

# make_project NAME SOURCE [JQ]: a project with the files of SOURCE, the example's config, and the
# packages that are left of ours after the filter.
make_project() {
    local project=$dir/$1
    mkdir -p "$project"/{config,public/uploads,database/migrations}
    cp -r "$data/project/config" "$2/src" "$project/"
    cp "$here/database.js" "$project/config/"
    jq "${3-.}" "$here/package-$version.json" >"$project/package.json"
    ln -s "$packages/node_modules" "$project/node_modules"
}

free_port() {
    node -e 'const s = require("net").createServer();
             s.listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

answers_or_ended() {
    curl -s -o "$dir/health" "$reference/_health" || is_gone "$(cat "$dir/cms.pid")"
}

# start_cms PROJECT DATABASE: Strapi at $reference. It writes to the database when it starts, and then
# only when a token was last used.
start_cms() {
    stop_all
    export HOST=127.0.0.1 PORT DATABASE_NAME=$2
    PORT=$(free_port)
    reference=http://$HOST:$PORT
    export POPULATE_SCHEMA=$dir/$1
    export POPULATE_DATABASE="mysql://populate:populate@localhost/$2?socket=$DATABASE_SOCKET"
    (cd "$dir/$1" && exec node node_modules/@strapi/strapi/bin/strapi.js start </dev/null) \
        >"$dir/cms.log" 2>&1 &
    echo $! >"$dir/cms.pid"
    wait_until 120 answers_or_ended || fail "Strapi does not answer" "$dir/cms.log"
    runs "$dir/cms.pid" node || fail "Strapi does not start" "$dir/cms.log"
}


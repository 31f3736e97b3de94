# Sourced by the scripts of this folder, which set $here and $release: 4 or 5, which is the newest of that
# version that is known here, or one like 5.30.0. It starts a live Strapi on a private database, and has what
# it takes to ask it. The content is the example of tests/data; to an older release it is that of the last one
# in tests/data/releases that is not newer, or else of the first there.
root=$(cd "$here/../.." && pwd)
version=${release%%.*}
[ "$release" != "$(jq -r '.dependencies["@strapi/strapi"]' "$here/package-$version.json")" ] || release=$version
case $release in
4) data=$root/tests/data/ks project=$root/build/projects/ks ;;
5) data=$root/tests/data/ks5 project=$root/build/projects/ks5 ;;
*)
    data=$(ls -d "$root/tests/data/releases/$version".* | sort -V | awk -F/ -v wanted="$release" '
        function number(of, part) { split(of, part, "."); return (part[1] * 1000 + part[2]) * 1000 + part[3] }
        NR == 1 || number($NF) <= number(wanted)' | tail -1)
    project=$root/build/projects/release-$version
    ;;
esac
"$root/tests/make_projects"
. "$root/nginx/processes.sh"
. "$root/tests/verify.sh"

packages=$("$here/install" "$release")
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
    "$root/tests/database/prepare" "$dir/mysql"
    "$root/nginx/database" start "$dir/mysql"
    "$root/nginx/database" load "$dir/mysql" example "$data/dump.sql.gz"
    create_account
}

create_account() {
    sql -e "DROP USER IF EXISTS strapi@localhost; CREATE USER strapi@localhost IDENTIFIED BY 'strapi';
            GRANT ALL ON *.* TO strapi@localhost"
}

# make_project NAME SOURCE [JQ]: a project with the files of SOURCE, the example's config, and the
# packages that are left of ours after the filter.
make_project() {
    local made=$dir/$1
    mkdir -p "$made"/{config,public/uploads,database/migrations}
    cp -r "$project/config" "$2/src" "$made/"
    cp "$here/database.js" "$made/config/"
    jq "${3-.}" "$packages/package.json" >"$made/package.json"
    ln -s "$packages/node_modules" "$made/node_modules"
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
    export POPULATE_SCHEMA=$dir/$1
    export POPULATE_DATABASE="mysql://populate:populate@localhost/$2?socket=$DATABASE_SOCKET"
    local attempt
    for attempt in 1 2 3; do
        PORT=$(free_port)
        reference=http://$HOST:$PORT
        (cd "$dir/$1" && exec node node_modules/@strapi/strapi/bin/strapi.js start </dev/null) \
            >"$dir/cms.log" 2>&1 &
        echo $! >"$dir/cms.pid"
        wait_until 600 answers_or_ended || fail "Strapi does not answer" "$dir/cms.log"
        ! runs "$dir/cms.pid" node || return 0
        # The port was free when Strapi began to start, half a minute before it takes it.
        grep -q EADDRINUSE "$dir/cms.log" || break
        echo "port $PORT was taken meanwhile (attempt $attempt)" >&2
    done
    fail "Strapi does not start" "$dir/cms.log"
}


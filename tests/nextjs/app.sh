# Sourced by changed and edited: an app of Next.js with app/api.js and app/changed/route.js of nginx/docs/edge.md, a program
# and a `notify` of its own. They set $here, and find with-edge's environment.
source=$(cd "$here/../.." && pwd)
. "$source/nginx/npm.sh"
. "$source/nginx/processes.sh"
. "$source/tests/patience.sh"
next=
dir=$(mktemp -d /tmp/populate.XXXXXX)

fail() {
    echo "nextjs: $*" >&2
    tail -n 20 "$dir"/*.log >&2
    exit 1
}
clean_up() {
    stop "$dir/notify.pid" populate-fcgi
    stop "$dir/server.pid" populate-fcgi
    [ -z "$next" ] || kill "$next" 2>/dev/null || true
    rm -rf "$dir"
}
trap clean_up EXIT
block() { "$source/tests/readme/block" "$@"; }
now() { echo $(($(date +%s%N) / 1000000)); }

# install_app FOLDER: it gets the npm packages, once, and becomes the current one
install_app() {
    command -v npm >/dev/null || fail "npm is missing: nginx/install-packages --tests"
    mkdir -p "$1"
    cd "$1"
    cp "$here"/*.json .
    install_npm_packages --ignore-scripts
    rm -rf .next app
    mkdir -p app/changed
    block edge 11 >app/api.js
    block edge 12 >app/changed/route.js
    echo 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;' >app/layout.jsx
    echo 'export default { cacheComponents: true };' >next.config.mjs
}

# page_of NAME PATH EXPRESSION: app/NAME/page.jsx shows what the expression makes of each entry that the path has
page_of() {
    mkdir -p "app/$1"
    cat >"app/$1/page.jsx" <<JSX
import { api } from '../api.js';
export default async function Page() {
  'use cache';
  const { data } = await api('$2');
  return <p>{\`|\${[data].flat().map((entry) => $3).join('|')}| rendered at \${Date.now()}.\`}</p>;
}
JSX
}

# serve PROGRAM PATH…: it serves, and its responses are those that a cache may keep
serve() {
    local program=$1 path
    "$program" serve --listen="$EDGE_LISTEN" </dev/null >"$dir/server.log" 2>&1 &
    echo $! >"$dir/server.pid"
    for path in "${@:2}"; do wait_until 30 has_names "$path" || fail "$path has no names: $(cat "$dir/body")"; done
}
names() { curl -gsS -o "$dir/body" -D - "$ORIGIN_URL$1" | tr -d '\r' | sed -n 's/^Surrogate-Key: //p' | wc -w; }
has_names() { [ "$(names "$1")" -gt 0 ]; }

# run_app PORT PROGRAM: builds it, and tells it of changes
run_app() {
    local name value
    port=$1
    export API_URL=$ORIGIN_URL NEXT_TELEMETRY_DISABLED=1
    node_modules/.bin/next build >"$dir/build.log" 2>&1 || fail "the pages cannot be built"
    eval "$(block edge 13 | sed "s|/etc/populate-fcgi|$dir|; s|-g populate-fcgi|-g $(id -gn)|")"
    WEBHOOK_SECRET=$(cat "$dir/webhook-secret")
    export WEBHOOK_SECRET
    node node_modules/next/dist/bin/next start -H 127.0.0.1 -p "$port" >"$dir/next.log" 2>&1 &
    next=$!
    wait_until 60 page one >/dev/null || fail "Next.js does not respond"
    while read -r name _ value; do
        name=${name//-/_}
        export "POPULATE_${name^^}=$value"
    done < <(block edge 14 | sed "s|https://www.example.org|http://127.0.0.1:$port|; s|/etc/populate-fcgi|$dir|")
    POPULATE_NOTIFY_STATE=$dir/state "$2" notify </dev/null >"$dir/notify.log" 2>&1 &
    echo $! >"$dir/notify.pid"
    # It begins with all pages, and once more when the server knows all of that, too; each twice.
    wait_until 30 grep -q 'once more' "$dir/notify.log" || fail "notify does not begin"
    sleep 2
}
page() { curl -gsf --max-time 30 "http://127.0.0.1:$port/$1"; }
shows() { page "$1" | grep -qF "|$2"; }
rendered() { page "$1" | grep -o 'rendered at [0-9]*' | head -1; }

# shown_in_time PAGE TEXT COMMAND…: what the command changes is on the page for who requests it within a second of its
# end. The time is that until the page was there.
slowest=0
shown_in_time() {
    local start took
    "${@:3}"
    start=$(now)
    until shows "$1" "$2"; do
        [ $(($(now) - start)) -lt 1000 ] || fail "$2 is not on the page $1: $(page "$1")"
    done
    took=$(($(now) - start))
    [ $took -le $slowest ] || slowest=$took
}

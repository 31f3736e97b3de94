# shellcheck shell=bash disable=SC2154 # run assigns
# Part of run.
#
# Both forms of Strapi 5's entries, asked for at once of one worker: through nginx that keeps nothing,
# where requests that are alike share an answer, and through nginx that keeps answers.

forms=(v5 v4)
as_form() { [ "$1" = v5 ] || echo 'header = "Strapi-Response-Format: v4"'; }
# ask_both URL COPIES: as many of each form, all at once; answers and headers are in $dir/answers.
ask_both() {
    local copy form
    for copy in $(seq "$2"); do
        for form in "${forms[@]}"; do
            printf '%s\n' "url = \"$1\"" "output = \"$dir/answers/$form.$copy\"" \
                "dump-header = \"$dir/answers/$form.$copy.head\"" "$(as_form $form)" \
                globoff silent show-error "max-time = $patience" next
        done
    done | sed '$d' >"$dir/requests" # nothing comes next to the last
    rm -rf "$dir/answers"
    mkdir "$dir/answers"
    curl --parallel --parallel-immediate --parallel-max 50 -K "$dir/requests" 2>"$dir/curl.log"
}
etags() {
    sed -n 's/^ETag: \(.*\)\r$/\1/Ip' "$dir/answers/$1".*.head | sort | uniq -c | awk '{ print $1, $2 $3 }'
}
# each_got_its_form COPIES: the answer that $dir/alone.* has, with its ETag.
each_got_its_form() {
    local copy form
    for form in "${forms[@]}"; do
        for copy in $(seq "$1"); do
            cmp "$dir/alone.$form" "$dir/answers/$form.$copy" || fail "not the form that was asked for"
            grep -qi '^Vary:.*Strapi-Response-Format' "$dir/answers/$form.$copy.head" ||
                fail "Vary does not tell"
        done
        expect "$1 $(cat "$dir/etag.$form")" etags $form
    done
}
hits() { cat "$dir/answers"/*.head | grep -c '^X-Cache-Status: HIT'; }

nginx_formats() {
    choose_port 19780
    local kept=$port form round uri
    choose_port $((port + 41))
    export POPULATE_LISTEN=unix:$socket POPULATE_WORKERS=1
    # Of nginx's cache, and of requests that are answered together, which hits are not.
    export POPULATE_CACHE_CONTROL="api::article.article=max-age=60" POPULATE_LOG_REQUESTS=all
    export POPULATE_CACHE=off
    "$program" >"$dir/populate-fcgi.log" 2>&1 &
    children+=($!)
    sed "s|^    fastcgi_pass .*|& include $examples/nginx-cache.conf;|" \
        "$tests/../nginx/locations.conf" >"$dir/locations.conf"
    start_nginx "fastcgi_cache_path $dir/cache keys_zone=populate:1m; $(limit_conn_zone)
        upstream populate_fcgi { server unix:$socket; }
        server { listen 127.0.0.1:$port; include $tests/../nginx/locations.conf; }
        server { listen 127.0.0.1:$kept; include $dir/locations.conf; }"
    wait_until 60 is_healthy || fail "the program does not answer"

    for uri in '/api/articles?populate=*&pagination[pageSize]=100' \
        '/api/articles/wj36700r3ojamu87vu38ankk?populate=*' '/api/articles?fields=title&locale=fr'; do
        for form in "${forms[@]}"; do
            curl -gsS --max-time $patience -o "$dir/alone.$form" -K <(as_form $form) "$url$uri"
            header ETag -K <(as_form $form) "$url$uri" >"$dir/etag.$form"
        done
        expect false jq '[.data] | flatten | any(has("attributes"))' "$dir/alone.v5"
        expect true jq '[.data] | flatten | all(has("attributes"))' "$dir/alone.v4"
        ! cmp -s "$dir/etag.v5" "$dir/etag.v4" || fail "both forms have one ETag"
        for round in $(seq 4); do
            ask_both "$url$uri" 10
            each_got_its_form 10
            # A parameter without meaning makes it new to the cache; then it is known there.
            for _ in 1 2; do
                ask_both "http://127.0.0.1:$kept$uri&round=$round" 10
                each_got_its_form 10
            done
            expect 20 hits
        done
    done
    grep -q 'shared=1' "$dir/populate-fcgi.log" || fail "no answer was shared"
}

# Sourced, with $source: a Debian system in a folder, with systemd as its process 1, seeing no network but its own
# loopback. Needs root and systemd-nspawn; comes after nginx/package/root.sh and nginx/processes.sh.

# site_machine ROOT: a machine with a web server, a database and this repository. It is not running yet.
site_machine() {
    copy_of_base "$1"
    git clone --quiet --depth 1 "file://$source" "$1/root/source"
    in_root "$1" env -i "${environment[@]}" DEBIAN_FRONTEND=noninteractive bash -ec '
        apt-get -q update
        apt-get -q install -y --no-install-recommends adduser init-system-helpers systemd systemd-sysv dbus \
            nginx curl jq openssl wrk mariadb-server'
}
# fetch_for ROOT PACKAGE…: into its cache what these need besides.
fetch_for() {
    in_root "$1" env -i "${environment[@]}" bash -ec \
        'for package; do apt-get -q install -y --download-only "$package"; done' fetch "${@:2}"
}

# boot ROOT [OPTION…]: returns once everything is started; with these options of systemd-nspawn.
boot() {
    booted=$1
    # Its processes are children of one, which ends them all.
    systemd-nspawn --quiet --boot --directory "$booted" --register=no --keep-unit --private-network \
        --resolv-conf=off --console=pipe "${@:2}" <&- >"$booted.console" 2>&1 &
    nspawn=$!
    wait_until 180 first_process && wait_until 180 is_booted
}

first_process() { init=$(pgrep -P "$nspawn" -x systemd); }

# in_booted COMMAND…
in_booted() {
    nsenter --target "$init" --mount --uts --ipc --net --pid --root --wd=/ \
        env -i -C /root HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}

# A unit may fail in a folder that is fine on a machine.
is_booted() { [[ $(in_booted systemctl is-system-running 2>/dev/null) =~ ^(running|degraded)$ ]]; }

shut_down() {
    [ "${init-}" ] || return 0
    kill -s RTMIN+4 "$init" 2>/dev/null || true # poweroff
    wait_until 30 is_gone "$nspawn" || kill -KILL "$init"
    init=
}

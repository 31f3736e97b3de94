# Sourced: a Debian system in a folder, with systemd as its process 1, seeing no network but its own loopback.
# Needs root and systemd-nspawn; comes after nginx/package/root.sh and nginx/processes.sh.

# boot ROOT: returns once everything is started.
boot() {
    booted=$1
    # Its processes are children of one, which ends them all.
    systemd-nspawn --quiet --boot --directory "$booted" --register=no --keep-unit --private-network \
        --resolv-conf=off --console=pipe <&- >"$booted.console" 2>&1 &
    nspawn=$!
    wait_until 60 first_process && wait_until 60 is_booted
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

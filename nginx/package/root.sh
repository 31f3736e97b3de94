# Sourced: Debian systems in folders, as debootstrap makes them. Needs root.
PATH=$PATH:/usr/sbin:/sbin

# have_base SUITE: sets $base, the smallest system of the release, as it was made, with this machine's way
# to the packages and nothing else of its own. It is made once.
have_base() {
    base=/var/tmp/populate-fcgi-debian/$1.empty
    mkdir -p "$(dirname "$base")"
    exec 7>"$base.lock"
    flock 7
    [ -d "$base" ] || make_base "$1"
    exec 7>&-
}

make_base() {
    rm -rf "$base.part"
    debootstrap --variant=minbase "$1" "$base.part" >"$base.log" 2>&1 7>&- ||
        { tail -v -n 30 "$base.log" >&2 && return 1; }
    cp -L /etc/resolv.conf "$base.part/etc/"
    cp /etc/apt/apt.conf.d/99* "$base.part/etc/apt/apt.conf.d/" 2>/dev/null || true
    # Whoever installs ca-certificates there trusts those who are trusted here.
    cp -r /usr/local/share/ca-certificates "$base.part/usr/local/share/" 2>/dev/null || true
    # The folder is not kept, so nothing has to reach the disk.
    echo force-unsafe-io >"$base.part/etc/dpkg/dpkg.cfg.d/unsafe-io"
    mv "$base.part" "$base"
}

# copy_of_base ROOT
copy_of_base() {
    rm -rf "$1"
    cp -a "$base" "$1"
    echo '127.0.0.1 localhost' >"$1/etc/hosts" # as who installs a machine has it
}

# Whoever has a compiler cache here has it there, too; `CCACHE_DIR=` before a command does without.
compiler_cache=${CCACHE_DIR-$(ccache --get-config cache_dir 2>/dev/null || true)}
[ -d "$compiler_cache" ] || compiler_cache=
export compiler_cache

# Process 1 stays outside, by which systemctl knows that this is no running system.
enter='if [ "$compiler_cache" ]; then mkdir -p "$0/ccache" && mount --bind "$compiler_cache" "$0/ccache"; fi &&
    mount -t proc proc "$0/proc" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm" &&
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$0/dev/pts" && chroot "$0" "$@"; exit $?'
# in_root ROOT COMMAND…: whatever it starts ends with it, and is all that /proc shows.
in_root() { unshare --mount --pid --fork --kill-child bash -c "$enter" "$@"; }
# in_root, where every port is free and nothing outside can be reached.
in_root_alone() {
    unshare --net --mount --pid --fork --kill-child bash -c "ip link set lo up; $enter" "$@"
}

# What commands in a root find in their environment. The way to the packages may lead through a proxy; who makes a
# package may have a name; warnings are errors in CI.
environment=(HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)
for name in http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS DEBFULLNAME DEBEMAIL CI; do
    [ -z "${!name-}" ] || environment+=("$name=${!name}")
done
unset name
[ ! "$compiler_cache" ] || environment+=(CCACHE_DIR=/ccache)

# install_ccache ROOT, if there is a cache; apt-get knows afterwards what it knew before.
install_ccache() {
    [ ! "$compiler_cache" ] || in_root "$1" env -i "${environment[@]}" sh -c 'cp -a /var/lib/apt/lists /lists &&
        apt-get -qq update && apt-get -qq install -y ccache && rm -rf /var/lib/apt/lists && mv /lists /var/lib/apt/'
}

# commit_time COMMIT: the time in what is made of it, wherever and whenever that is. In seconds since 1970.
commit_time() { git -C "$source" log -1 --format=%ct "$1"; }

# build_in ROOT COMMIT COMMAND…: in /source of ROOT, which has what was committed in $source, and what commands
# before this one have left there.
build_in() {
    local root=$1 commit=$2
    shift 2
    if [ ! -d "$root/source" ]; then
        git clone --quiet --no-checkout "$source" "$root/source"
        git -C "$root/source" checkout --quiet "$commit"
        install_ccache "$root"
    fi
    in_root "$root" env -i -C /source "${environment[@]}" CMAKE_BUILD_PARALLEL_LEVEL="$(nproc)" \
        SOURCE_DATE_EPOCH="$(commit_time "$commit")" "$@"
}

# Sourced by scripts that use npm packages.

# install_npm_packages [OPTION…]: into the current folder, what its package-lock.json names. Nothing is installed twice,
# and what an interrupted call has left is not taken for all of it.
install_npm_packages() {
    ! cmp -s package-lock.json installed || return 0
    rm -f installed
    npm ci --no-audit --no-fund --loglevel=error "$@"
    cp package-lock.json installed
}

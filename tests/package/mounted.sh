# Sourced by tests of what is installed and packed.

# not_beside FOLDER: files of its own folder that FOLDER/compose.yaml mounts and that are not there. The project, `cms`,
# is that of whoever runs it.
not_beside() {
    local file files
    files=$(sed -n 's/^ *- \.\/\([^:]*\):.*/\1/p' "$1/compose.yaml" | grep -vx cms) || echo "$1: nothing is mounted"
    for file in $files; do [ -f "$1/$file" ] || echo "$1/$file"; done
}

#include <cerrno>

// For LD_PRELOAD: a system that has no inotify instance left for this user.

extern "C" int inotify_init1(int) {
    errno = EMFILE;
    return -1;
}

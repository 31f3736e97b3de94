#include <cstdint>
#include <cstdlib>

#include <sys/random.h>

// What libstdc++ of Debian 12 asks of glibc, and glibc before 2.36 does not have.

extern "C" {

// Since 2.32: true while there is one thread. Never true: the program has several.
extern char __libc_single_threaded;
char __libc_single_threaded = 0;

// Since 2.36; behind std::random_device.
std::uint32_t arc4random() noexcept {
    std::uint32_t number = 0;
    if (::getentropy(&number, sizeof number) != 0) std::abort();
    return number;
}
}

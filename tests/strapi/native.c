// What native code does as it is loaded: it makes the file MADE.
#include <fcntl.h>
#include <unistd.h>

__attribute__((constructor)) static void make(void) {
    int const made = open(MADE, O_CREAT | O_WRONLY, 0600);
    if (made >= 0) close(made);
}

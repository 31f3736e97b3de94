#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <sys/socket.h>

// For LD_PRELOAD: as long as an index exists that was created by this program, all that is read
// takes longer.

namespace {

constexpr std::chrono::milliseconds longer{20};
std::atomic<bool> has_index = false;

} // namespace

extern "C" ssize_t send(int socket, void const* bytes, size_t size, int flags) {
    static auto const send_it = reinterpret_cast<decltype(&send)>(dlsym(RTLD_NEXT, "send"));
    std::string_view const sent(static_cast<char const*>(bytes), size);
    auto const has = [&](std::string_view text) { return sent.find(text) != sent.npos; };
    if (has("CREATE INDEX")) has_index = true;
    if (has(" DROP INDEX ")) has_index = false;
    if (has_index && has("SELECT t0")) std::this_thread::sleep_for(longer);
    return send_it(socket, bytes, size, flags);
}

// A wire between two machines of `run`, as long and as bad as it is told to be.
//
//   wire NAME OTHER
//
// makes two TAP devices with these names. What is sent to one comes out of the other, in its order.
// A line of standard input, `MILLISECONDS PERCENT`, holds for all that is sent from then on: how
// long it takes one way, and how much of it is lost. Standard output then has a line of what was
// sent and lost before. Ends with standard input.

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <deque>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

struct Wire {
    std::chrono::milliseconds delay{0};
    std::bernoulli_distribution is_lost{0};
    std::size_t sent = 0, lost = 0;
    std::minstd_rand random;
};

struct Frame {
    Clock::time_point due;
    std::string bytes;
};

struct End {
    int device;
    std::deque<Frame> coming; // from the other one
};

int make_device(std::string const& name) {
    int const device = ::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq request{};
    name.copy(request.ifr_name, sizeof request.ifr_name - 1);
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (device < 0 || ::ioctl(device, TUNSETIFF, &request) != 0)
        throw std::system_error(errno, std::generic_category(), name);
    return device;
}

void take(End& from, End& to, Wire& wire) {
    std::array<char, 65'536> bytes;
    for (;;) {
        auto const size = ::read(from.device, bytes.data(), bytes.size());
        if (size <= 0) return;
        ++wire.sent;
        if (wire.is_lost(wire.random))
            ++wire.lost;
        else
            to.coming.push_back(
                {Clock::now() + wire.delay, {bytes.data(), static_cast<std::size_t>(size)}});
    }
}

// Packets that a device does not take, as before it is up, are lost like any others.
void deliver(End& end) {
    for (; !end.coming.empty() && end.coming.front().due <= Clock::now(); end.coming.pop_front()) {
        auto const& bytes = end.coming.front().bytes;
        [[maybe_unused]] auto const written = ::write(end.device, bytes.data(), bytes.size());
    }
}

// False: there are no more.
bool take_order(Wire& wire) {
    std::string line;
    while (std::getline(std::cin, line)) {
        std::cout << wire.delay.count() << " ms, " << 100 * wire.is_lost.p() << " %: " << wire.sent
                  << " frames, " << wire.lost << " lost" << std::endl;
        int milliseconds = 0;
        double percent = 0;
        std::istringstream(line) >> milliseconds >> percent;
        wire.delay = std::chrono::milliseconds(milliseconds);
        wire.is_lost = std::bernoulli_distribution(percent / 100);
        wire.sent = wire.lost = 0;
        if (std::cin.rdbuf()->in_avail() == 0) return true;
    }
    return false;
}

void wait(std::array<pollfd, 3>& polled, std::array<End, 2> const& ends) {
    auto due = Clock::now() + std::chrono::seconds(1);
    for (auto const& end : ends)
        if (!end.coming.empty()) due = std::min(due, end.coming.front().due);
    auto const left = std::max<Clock::duration>(due - Clock::now(), Clock::duration(0));
    timespec const time{.tv_sec = left / std::chrono::seconds(1),
                        .tv_nsec = (left % std::chrono::seconds(1)).count()};
    ::ppoll(polled.data(), polled.size(), &time, nullptr);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 3) return 64;
    std::cin.tie(nullptr)->sync_with_stdio(false);
    std::array<End, 2> ends{End{make_device(argv[1]), {}}, End{make_device(argv[2]), {}}};
    std::array<pollfd, 3> polled{
        pollfd{STDIN_FILENO, POLLIN, 0}, {ends[0].device, POLLIN, 0}, {ends[1].device, POLLIN, 0}};
    Wire wire;
    for (;;) {
        wait(polled, ends);
        if (polled[0].revents != 0 && !take_order(wire)) return 0;
        take(ends[0], ends[1], wire);
        take(ends[1], ends[0], wire);
        deliver(ends[0]);
        deliver(ends[1]);
    }
} catch (std::exception const& exception) {
    std::cerr << "wire: " << exception.what() << '\n';
    return 1;
}

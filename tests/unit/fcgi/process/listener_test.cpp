#include "fcgi/process/listener.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>

#include <fcntl.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

using fcgi::Listener;

BOOST_AUTO_TEST_SUITE(listener)

namespace {

struct Folder {
    std::string path;
    Folder() {
        char name[] = "/tmp/listener-XXXXXX";
        BOOST_REQUIRE(::mkdtemp(name));
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string socket() const { return path + "/socket"; }
    std::string address() const { return "unix:" + socket(); }
};
struct InFolder {
    Folder const folder;
};

bool connects(std::string const& path) {
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    path.copy(to.sun_path, sizeof to.sun_path - 1);
    int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool const connected = ::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
    ::close(fd);
    return connected;
}

struct stat status_of(std::string const& path) {
    struct stat status{};
    BOOST_REQUIRE(::lstat(path.c_str(), &status) == 0);
    return status;
}

// Leaves what a killed server leaves.
void leave_dead_socket(Folder const& folder) {
    auto listener = Listener::open(folder.address(), "");
    BOOST_REQUIRE(listener.has_value());
    std::filesystem::rename(folder.socket(), folder.socket() + "2");
    listener->close();
    std::filesystem::rename(folder.socket() + "2", folder.socket());
}

void check_refused(std::string const& address, std::string const& why) {
    auto listener = Listener::open(address, "");
    BOOST_REQUIRE(listener.has_error());
    BOOST_TEST(listener.error().message.find(why) != std::string::npos,
               listener.error().message << " should say: " << why);
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_unix_socket_is_open_to_its_owner_and_group, InFolder) {
    auto opened = Listener::open(folder.address(), "");
    BOOST_REQUIRE(opened.has_value());
    BOOST_TEST((status_of(folder.socket()).st_mode & 0777) == 0660);
    BOOST_TEST(connects(folder.socket()));
    BOOST_TEST(opened->address() == folder.address());
    BOOST_TEST((::fcntl(opened->fd(), F_GETFL) & O_NONBLOCK) != 0);
    BOOST_TEST((::fcntl(opened->fd(), F_GETFD) & FD_CLOEXEC) != 0);
}

BOOST_FIXTURE_TEST_CASE(a_unix_socket_is_given_to_the_group, InFolder) {
    auto const* group = ::getgrgid(::getegid()); // one that any user may give files to
    BOOST_REQUIRE(group);
    auto opened = Listener::open(folder.address(), group->gr_name);
    BOOST_REQUIRE(opened.has_value());
    BOOST_TEST(status_of(folder.socket()).st_gid == ::getegid());
}

BOOST_FIXTURE_TEST_CASE(a_group_that_does_not_exist_is_named, InFolder) {
    auto opened = Listener::open(folder.address(), "no-such-group");
    BOOST_REQUIRE(opened.has_error());
    BOOST_TEST(opened.error().message == "socket-group: there is no group no-such-group");
    BOOST_TEST(!std::filesystem::exists(folder.socket()));
}

BOOST_FIXTURE_TEST_CASE(the_path_is_removed_when_the_listener_goes, InFolder) {
    {
        BOOST_REQUIRE(Listener::open(folder.address(), "").has_value());
    }
    BOOST_TEST(!std::filesystem::exists(folder.socket()));
}

BOOST_FIXTURE_TEST_CASE(a_moved_listener_is_closed_once, InFolder) {
    auto opened = Listener::open(folder.address(), "");
    BOOST_REQUIRE(opened.has_value());
    {
        Listener const moved = std::move(*opened);
        BOOST_TEST(connects(folder.socket()));
    }
    BOOST_TEST(!std::filesystem::exists(folder.socket()));
    BOOST_TEST(opened->fd() == -1);
}

BOOST_FIXTURE_TEST_CASE(a_path_that_became_another_file_is_not_removed, InFolder) {
    {
        auto opened = Listener::open(folder.address(), "");
        BOOST_REQUIRE(opened.has_value());
        std::filesystem::remove(folder.socket());
        std::ofstream(folder.socket()) << "mine";
    }
    BOOST_TEST(std::filesystem::exists(folder.socket()));
}

BOOST_FIXTURE_TEST_CASE(a_path_where_something_answers_is_refused, InFolder) {
    auto first = Listener::open(folder.address(), "");
    BOOST_REQUIRE(first.has_value());
    check_refused(folder.address(), "another process listens there");
    BOOST_TEST(connects(folder.socket()));
}

BOOST_FIXTURE_TEST_CASE(a_dead_socket_is_replaced, InFolder) {
    leave_dead_socket(folder);
    BOOST_REQUIRE(std::filesystem::exists(folder.socket()));
    BOOST_REQUIRE(!connects(folder.socket()));
    auto opened = Listener::open(folder.address(), "");
    BOOST_REQUIRE(opened.has_value());
    BOOST_TEST(connects(folder.socket()));
}

BOOST_FIXTURE_TEST_CASE(a_file_that_is_no_socket_is_never_touched, InFolder) {
    std::ofstream(folder.socket()) << "precious";
    check_refused(folder.address(), "there is a file that is not a socket");
    BOOST_TEST(std::filesystem::file_size(folder.socket()) == 8U);

    std::filesystem::create_symlink(folder.socket(), folder.path + "/link");
    check_refused("unix:" + folder.path + "/link", "there is a file that is not a socket");
}

BOOST_FIXTURE_TEST_CASE(a_path_longer_than_the_system_allows_is_refused_with_its_length, InFolder) {
    auto path = folder.path + "/";
    path.resize(107, 'p');
    BOOST_TEST(Listener::open("unix:" + path, "").has_value());
    check_refused("unix:" + path + "p", "the path has 108 bytes, but the system allows only 107");
}

BOOST_AUTO_TEST_CASE(addresses_that_mean_nothing_are_refused) {
    struct {
        std::string address, why;
    } const table[] = {
        {"/path", "expected unix:/path, tcp:address:port or fd:number"},
        {"udp:1", "expected unix:/path"},
        {"fd:x", "expected unix:/path"},
        {"fd:-1", "expected unix:/path"},
        {"fd:999", "not a listening socket"},
        {"unix:", "the path is missing"},
        {"unix:/no/such/folder/socket", "No such file or directory"},
        {"tcp:127.0.0.1", "expected tcp:address:port"},
        {"tcp::9000", "expected tcp:address:port"},
        {"tcp:127.0.0.1:http", "tcp:127.0.0.1:http: "},
    };
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.address) check_refused(row.address, row.why);
}

BOOST_AUTO_TEST_CASE(a_tcp_port_that_is_taken_is_named) {
    auto first = Listener::open("tcp:127.0.0.1:0", "");
    BOOST_REQUIRE(first.has_value());
    sockaddr_storage where{};
    socklen_t size = sizeof where;
    ::getsockname(first->fd(), reinterpret_cast<sockaddr*>(&where), &size);
    auto const port = reinterpret_cast<unsigned char const*>(&where);
    auto const taken = "tcp:127.0.0.1:" + std::to_string(port[2] * 256 + port[3]);
    check_refused(taken, taken + ": Address already in use");
}

BOOST_AUTO_TEST_CASE(an_inherited_socket_must_listen) {
    int const fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    check_refused("fd:" + std::to_string(fd), "not a listening socket");
    ::close(fd);
}

BOOST_AUTO_TEST_CASE(an_address_is_where_the_socket_is_bound_whoever_did_it) {
    for (std::string const host : {"127.0.0.1", "[::1]"}) {
        auto const owner = Listener::open("tcp:" + host + ":0", "");
        BOOST_REQUIRE(owner.has_value());
        BOOST_TEST(owner->address().starts_with("tcp:" + host + ":"), owner->address());
        BOOST_TEST(!owner->address().ends_with(":0"), owner->address());
        auto const adopted = Listener::open("fd:" + std::to_string(::dup(owner->fd())), "");
        BOOST_REQUIRE(adopted.has_value());
        BOOST_TEST(adopted->address() == owner->address());
    }
    int const abstract = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sa_family_t const family = AF_UNIX; // and no name: the system makes one
    BOOST_REQUIRE(::bind(abstract, reinterpret_cast<sockaddr const*>(&family), sizeof family) == 0);
    BOOST_REQUIRE(::listen(abstract, 1) == 0);
    auto const adopted = Listener::open("fd:" + std::to_string(abstract), "");
    BOOST_REQUIRE(adopted.has_value());
    BOOST_TEST(adopted->address().starts_with("unix:@"), adopted->address());
}

BOOST_FIXTURE_TEST_CASE(an_inherited_socket_keeps_its_path, InFolder) {
    auto owner = Listener::open(folder.address(), "");
    BOOST_REQUIRE(owner.has_value());
    {
        auto adopted = Listener::open("fd:" + std::to_string(::dup(owner->fd())), "");
        BOOST_REQUIRE(adopted.has_value());
        BOOST_TEST((::fcntl(adopted->fd(), F_GETFL) & O_NONBLOCK) != 0);
    }
    BOOST_TEST(connects(folder.socket()));
}

// In a child, since it wants descriptor 3 and the folder to be its own.
template<class Check>
void check_in_child(Folder const& folder, Check check) {
    pid_t const child = ::fork();
    if (child == 0) {
        std::filesystem::current_path(folder.path);
        auto opened = Listener::open("", "");
        ::_exit(opened && check(*opened) ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    BOOST_TEST(status == 0);
}

BOOST_FIXTURE_TEST_CASE(without_an_address_the_sockets_of_systemd_are_taken, InFolder) {
    auto owner = Listener::open(folder.address(), "");
    BOOST_REQUIRE(owner.has_value());
    ::setenv("LISTEN_FDS", "1", 1);
    pid_t const child = ::fork();
    if (child == 0) {
        ::setenv("LISTEN_PID", std::to_string(::getpid()).c_str(), 1);
        ::dup2(owner->fd(), 3);
        auto opened = Listener::open("", "");
        ::_exit(opened && opened->fd() == 3 && opened->address() == folder.address() ? 0 : 1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    BOOST_TEST(status == 0);

    // Variables that were meant for another process.
    ::setenv("LISTEN_PID", "1", 1);
    check_in_child(folder, [](Listener const& opened) {
        return opened.address() == "unix:./populate-fcgi.sock";
    });
    ::unsetenv("LISTEN_FDS");
    ::unsetenv("LISTEN_PID");
}

BOOST_FIXTURE_TEST_CASE(without_an_address_a_listening_descriptor_0_is_taken, InFolder) {
    auto owner = Listener::open(folder.address(), "");
    BOOST_REQUIRE(owner.has_value());
    int const saved = ::dup(STDIN_FILENO);
    ::dup2(owner->fd(), STDIN_FILENO);
    check_in_child(folder, [](Listener const& opened) { return opened.fd() == STDIN_FILENO; });
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
}

BOOST_FIXTURE_TEST_CASE(without_any_of_them_it_is_a_unix_socket_in_the_current_folder, InFolder) {
    check_in_child(folder, [](Listener const& opened) {
        return opened.address() == "unix:./populate-fcgi.sock" && connects("./populate-fcgi.sock");
    });
}

BOOST_AUTO_TEST_SUITE_END()

using fcgi::AllowedHosts;

BOOST_AUTO_TEST_SUITE(allowed_hosts)

namespace {

bool allows(std::string const& list, std::string const& address) {
    auto const hosts = AllowedHosts::read(list);
    BOOST_TEST_REQUIRE(hosts.has_value(), list);
    return hosts->has(boost::asio::ip::make_address(address));
}

} // namespace

BOOST_AUTO_TEST_CASE(without_a_list_everyone_may_connect) {
    for (auto const* address : {"127.0.0.1", "203.0.113.9", "2001:db8::1"})
        BOOST_TEST(AllowedHosts().has(boost::asio::ip::make_address(address)), address);
}

BOOST_AUTO_TEST_CASE(who_is_named_may_connect_and_nobody_else) {
    std::tuple<char const*, char const*, bool> const cases[] = {
        {"10.0.0.5", "10.0.0.5", true},
        {"10.0.0.5", "10.0.0.6", false},
        {"10.0.0.5, 10.0.0.6", "10.0.0.6", true},
        {"10.1.0.0/16", "10.1.255.255", true},
        {"10.1.0.0/16", "10.2.0.0", false},
        {"10.1.2.3/16", "10.1.9.9", true}, // the network of a host
        {"0.0.0.0/0", "203.0.113.9", true},
        {"0.0.0.0/0", "2001:db8::1", false},
        {"fd00::/8", "fd12:3456::1", true},
        {"fd00::/8", "fe80::1", false},
        {"2001:db8::1", "2001:db8::1", true},
        {"2001:db8::1", "10.0.0.5", false},
        {"10.0.0.5", "::ffff:10.0.0.5", true}, // by a socket of IPv6
        {"10.0.0.5", "::ffff:10.0.0.6", false},
    };
    for (auto const& [list, address, expected] : cases)
        BOOST_TEST(allows(list, address) == expected, list << " and " << address);
}

BOOST_AUTO_TEST_CASE(what_is_no_address_is_named) {
    for (auto const* wrong : {"", "localhost", "10.0.0", "10.0.0.0/33", "10.0.0.5/", "fd00::/129"})
        for (auto const& list : {std::string(wrong), "10.0.0.5," + std::string(wrong)}) {
            auto const hosts = AllowedHosts::read(list);
            BOOST_TEST_REQUIRE(hosts.has_error(), list);
            BOOST_TEST(hosts.error().message ==
                       "expected addresses or networks separated by commas, such as "
                       "10.0.0.5,10.1.0.0/16, received \"" +
                           std::string(wrong) + '"');
        }
}

BOOST_AUTO_TEST_SUITE_END()

#include "fixture.hpp"

// Several hosts and `ssl-ca`: who does not prove by a certificate that it is one of them, is asked
// nothing and told nothing. Needs `tests/with tls-hosts`.

using namespace faults;

BOOST_AUTO_TEST_SUITE(tls_hosts)

namespace {

// The hosts with a comma between.
std::string url_of(std::string const& hosts) {
    return "mysql://populate:populate@" + hosts + "/ks?ssl-ca=" + server::setting("TLS_CA") +
           "&balance=random&max-lag=500ms";
}

// Returns the lines about our account in the log of the host.
std::vector<std::string> connections_to(std::string const& host) {
    std::ifstream log(server::setting("TLS_LOGS") + '/' + host + ".log");
    BOOST_TEST_REQUIRE(log.is_open());
    std::vector<std::string> lines;
    for (std::string line; std::getline(log, line);)
        if (line.find("populate@127.") != line.npos) lines.push_back(line);
    return lines;
}

struct Tls {
    std::string good = server::setting("TLS_GOOD");
    std::vector<std::string> bad{server::setting("TLS_OTHER"), server::setting("TLS_ELSEWHERE"),
                                 server::setting("TLS_NONE")};

    std::string all() const { return bad[0] + ',' + bad[1] + ',' + bad[2] + ',' + good; }
    void check_that_good_alone_was_asked() const {
        for (auto const& host : bad)
            BOOST_TEST(connections_to(host) == std::vector<std::string>(),
                       boost::test_tools::per_element());
        BOOST_TEST(!connections_to(good).empty());
        for (auto const& connection : connections_to(good))
            BOOST_TEST(connection.ends_with("using SSL/TLS"), connection);
    }
};

int run(std::string const& command, std::string const& database) {
    return std::system((PROGRAM " " + command + " --schema=" PROJECTS "/ks --database='" +
                        database + "' >/dev/null 2>&1")
                           .c_str());
}

} // namespace

BOOST_AUTO_TEST_CASE(hosts_without_a_certificate_of_the_authority_are_left_and_never_asked) {
    Tls const tls;
    ApplicationProcess const application({.database = url_of(tls.all()), .is_patient = true});
    BOOST_TEST_REQUIRE(application.responds(usual_request, 200), application.log());
    BOOST_TEST(eventually([&] { // each has been looked at
        auto const ready = application.get("/_ready");
        return ready.status == 204 && ready.header("Database-Hosts") == "1 of 4";
    }));
    for (int i = 0; i < 40; ++i)
        BOOST_TEST(application.get(usual_request).status == 200);
    for (auto const& host : tls.bad)
        BOOST_TEST(eventually([&] {
                       return application.log().find(host + " is not used: it ") !=
                              std::string::npos;
                   }),
                   host + '\n' + application.log());
    tls.check_that_good_alone_was_asked();
}

BOOST_AUTO_TEST_CASE(no_command_asks_them_either) {
    Tls const tls;
    BOOST_TEST(run("get /api/tags", url_of(tls.all())) == 0);
    BOOST_TEST(run("get /api/tags", url_of(tls.bad[0] + ',' + tls.bad[2])) != 0);
    tls.check_that_good_alone_was_asked();
}

BOOST_AUTO_TEST_SUITE_END()

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// A FastCGI client for tests: whole requests for those who test responses, single records for those
// who test the protocol. It shares no code with the server, so that both cannot be wrong alike.
//
//     auto client = fastcgi::Client::connect("unix:/tmp/x.sock");
//     auto response = client.ask(fastcgi::get("/api/articles?sort=title"));
//     BOOST_TEST(response.status == 200);

namespace fastcgi {

using Parameters = std::vector<std::pair<std::string, std::string>>;
enum class Keep { yes, no };

struct Response {
    int status = 200;
    Parameters headers; // as sent, without Status
    std::string body;
    int protocol_status = 0; // of the END_REQUEST record

    std::string header(std::string_view name) const; // any case; empty if absent
};

// Returns the parameters that a web server sends for a request. `uri` is path and query.
Parameters request_of(std::string_view method, std::string_view uri, Parameters const& more = {});
Parameters get(std::string_view uri, Parameters const& more = {});

// Record types and sizes are not checked, so that a test can get them wrong.
enum Type {
    begin_request = 1,
    abort_request = 2,
    end_request = 3,
    params = 4,
    std_in = 5,
    std_out = 6,
    get_values = 9,
    get_values_result = 10,
    unknown_type = 11
};
std::string record(int type, int id, std::string_view content, std::size_t padding = 0);
std::string begin(int id = 1, Keep keep = Keep::yes, int role = 1);
std::string pair(std::string_view name, std::string_view value);
std::string pairs(Parameters const& parameters);
// BEGIN, as many PARAMS records as it takes, the empty one, and STDIN with its end.
std::string request(Parameters const& parameters, Keep keep = Keep::yes,
                    std::string_view body = {});

struct Record {
    int type = 0;
    int id = 0;
    std::string content;
};

// Each call waits at most `patience`, which is more than a busy machine needs for anything.
// Whatever a test did not ask for, such as a refused connection, throws std::runtime_error.
class Client {
  public:
    static constexpr std::chrono::seconds patience{30};

    // `unix:/path` or `tcp:127.0.0.1:9000`. Tries until something listens there.
    static Client connect(std::string const& address);
    explicit Client(int socket) : socket_(socket) {}
    Client(Client&& other) noexcept;
    Client& operator=(Client&& other) noexcept;
    ~Client();

    Response ask(Parameters const& parameters, Keep keep = Keep::yes);

    void send(std::string_view bytes);
    // The client may be closed by the server meanwhile; false if it was.
    bool try_send(std::string_view bytes);
    void shut_sending();

    // The next response; throws if the server closes before its end.
    Response read_response();
    // Empty if the server closed the connection.
    std::optional<Record> read_record();
    // True once the server closed; false if it sends something or `patience` ends.
    bool is_closed_by_server();
    // Returns whether bytes arrive within `time` that no other call has read.
    bool has_arrivals_within(std::chrono::milliseconds time);

    int socket() const { return socket_; }

  private:
    bool fill(std::size_t bytes); // false: the server closed

    int socket_;
    std::string received_;
};

} // namespace fastcgi

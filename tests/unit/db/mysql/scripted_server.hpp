#pragma once

#include "db/mysql/database_url.hpp"

#include <string>
#include <string_view>
#include <thread>
#include <vector>

// Packets of MySQL's protocol, without the four bytes before each.
namespace packets {

using Packets = std::vector<std::string>;
using Cells = std::vector<char const*>; // null: NULL

std::string greeting();
// `has_more`: the result of another statement follows.
std::string ok(bool has_more = false);
std::string error(unsigned code, std::string_view message);
Packets table(std::vector<std::string> const& columns, std::vector<Cells> const& rows,
              bool has_more = false);

} // namespace packets

// Listens at a port of 127.0.0.1. A connection that nobody accepts is made, and then silent.
class Listener {
  public:
    Listener();
    Listener(Listener const&) = delete;
    ~Listener();

    db::DatabaseUrl url() const;

  protected:
    int const descriptor_;
};

// A database server that lets everybody in, one at a time, and reads its replies off a script.
class ScriptedServer : public Listener {
  public:
    struct Line {
        std::string_view part; // of the statement
        packets::Packets reply;
    };
    // The first line counts whose part the statement has; without one, the reply is `ok`. What
    // asks for the binlog has the part `COM_BINLOG_DUMP`.
    explicit ScriptedServer(std::vector<Line> script = {},
                            std::string greeting = packets::greeting());

  private:
    void run(std::stop_token const& stopped) const;
    void serve(int client, std::stop_token const& stopped) const;
    packets::Packets reply(std::string const& command) const;

    std::vector<Line> const script_;
    std::string const greeting_;
    std::jthread thread_;
};

#pragma once

#include "tests/database/server.hpp"
#include "tests/unit/fcgi/http/stand_in.hpp"

#include "db/binlog/change_log.hpp"
#include "db/binlog/row_tag.hpp"
#include "db/mysql/table_relations.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

// The command notify, with the example in a database of its own and stand-ins for whom it tells. It
// needs `tests/with log example`.

namespace notifying {

// The program in a process of its own, which ends with this.
class Program {
  public:
    Program(std::vector<std::string> words, std::filesystem::path const& log);
    Program(Program const&) = delete;
    ~Program();

    void signal(int number) const;
    // 128 + signal if one killed it.
    int end(int signal);
    pid_t id() const { return process_; }

  private:
    pid_t process_ = -1;
};

// One whom changes are told.
class Listener {
  public:
    using Received = stand_in::StandIn::Received;
    using Behaviour = stand_in::StandIn::Behaviour;

    std::string address() const { return server_->address(); }
    void set(Behaviour const& behaviour) { server_->set(behaviour); }
    // Acknowledges so many requests more, then behaves so.
    void set_after(std::size_t requests, Behaviour const& behaviour) {
        server_->set_from(server_->received().size() + requests, behaviour);
    }
    void go_down();
    void come_back();
    bool is_down() const { return !server_; }

    // These are of the time since forget().
    void forget();
    std::vector<Received> received() const;
    std::vector<Received> acknowledged() const;
    // How many requests have the name, of a tag or of `site`: all, or the acknowledged ones.
    std::size_t attempts(std::string const& name) const;
    std::size_t times(std::string const& name) const;

  private:
    std::unique_ptr<stand_in::StandIn> server_ = std::make_unique<stand_in::StandIn>();
    std::size_t forgotten_ = 0;
    unsigned short port_ = 0; // while it is down
};

struct Notifying {
    // Of the database, which `notify` reaches by this socket; empty: by its own.
    explicit Notifying(std::string const& socket = {});
    ~Notifying();

    void start();
    int end(int signal) { return program->end(signal); }
    void write_secret(std::string const& name, std::string const& text) const;
    void sql(db::SqlPiece statement) const { server::command(*owner, statement); }
    void sql(db::SqlText const& statement) const { server::command(*owner, statement); }
    std::string log() const;                  // since forget()
    bool logs(std::string const& text) const; // eventually

    void forget();
    std::size_t times_site() const { return varnish.times(names.of_all()); }
    bool is_told(std::string const& what); // Varnish is, eventually
    bool is_not_told(std::string const& what) const { return varnish.times(name_of(what)) == 0; }
    // As soon as changes are told by rows again.
    bool is_told_after_a_while(std::string const& what);
    // `site`, `tags`, `tags+`, `tags-`, `tags#weight`, `tags.id=7`
    std::string name_of(std::string const& what) const;

    // Of Varnish, if it is one of targets; -1: it is not there.
    double metric(std::string const& name) const;
    // Until all was told, the second time, too, and the state says so: it has a digest.
    void await_settled() const;

    std::filesystem::path const folder;
    std::filesystem::path const state = folder / "state";
    std::filesystem::path const metrics = folder / "notify.prom";
    std::string const database;
    Listener varnish, site, cdn;
    mutable db::TagNames names;
    mutable db::ChangeLog changes{{.url = server::reader()}, [](auto const&) {}};
    std::unique_ptr<db::Connection> owner = server::open(server::owner(), db::owner_session);
    db::TableRelations const relations = db::TableRelations::read(*owner).value();
    std::optional<Program> program;
    std::size_t forgotten_log = 0;
};

// Replaces the first such text of a file.
void replace(std::filesystem::path const& path, std::string const& old, std::string const& by);
std::string text_of(std::filesystem::path const& path);

} // namespace notifying

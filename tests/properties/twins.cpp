#include "tests/cache/hammer/client.hpp"
#include "tests/properties/sample.hpp"

#include "parser/lexer.hpp"

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <set>

#include <strings.h>

// Asks several servers the same. Their databases differ in what the caller may not see, so their
// answers must not differ, and must not hold what marks such values.

using namespace properties;

namespace {

constexpr std::string_view marker = "HIDDEN";
// Finds the marker, and is not mistaken for it where a response repeats it.
constexpr char part_of_marker[] = "IDDE";

// What leads from entries to the users of their role, as values of `populate`.
std::vector<std::string> ways_to_users(std::string const& way, std::string const& dotted) {
    return {"populate" + way + "[role][populate]=users", "populate" + way + "[role][populate]=*",
            "populate" + way + "[role][populate][users][count]=true",
            "populate=" + dotted + "role.users"};
}

// A search of each type, each of its attributes in each parameter that takes a name, and the users
// of each role that is within reach. `like` says who asks.
std::vector<Request> probes(db::Schema const& schema, Request const& like) {
    std::vector<Request> requests;
    auto const ask = [&](std::string const& url) {
        requests.push_back(like);
        requests.back().method = "GET";
        requests.back().url = url;
    };
    for (auto const* path : {"/api/users?", "/api/users/1?", "/api/users/me?"})
        for (auto const& way : ways_to_users("", ""))
            ask(path + way);
    for (auto const& [route, type] : schema.routes) {
        std::string const path = "/api/" + route + "?pagination[pageSize]=100&";
        ask(path + "_q=" + part_of_marker);
        for (auto const& attribute : type->attributes) {
            ask(path + "filters[" + attribute.name + "][$contains]=" + part_of_marker);
            for (auto const* parameter : {"fields", "sort", "populate"})
                ask(path + parameter + "=" + attribute.name);
            if (!attribute.target || attribute.target->uid != "plugin::users-permissions.user")
                continue;
            for (auto const& way :
                 ways_to_users("[" + attribute.name + "][populate]", attribute.name + "."))
                ask(path + way);
        }
    }
    return requests;
}

// Where drafts are legitimately seen, so that what they hold may move a response:
//
//     /api/articles/1         an entry by its id, and what is populated below it
//     …publicationState…      asked for (or misspelt)
//     …[on]…                  fragments do not inherit the publication state
//     filters[category][articles][title]=x, sort=articles.title
//                             conditions and sort keys behind a relation to a type with drafts look
//                             at all of its entries
//
// as Strapi 4.26 does; Strapi 5.54 shows drafts, or whether there are any, where it is asked for
// them, and behind such relations. Parameters are judged one by one.
class DraftRule {
  public:
    // `relations`: the attributes that lead to a type with drafts.
    DraftRule(db::Version version, std::set<std::string> relations)
        : version_(version), relations_(std::move(relations)) {}

    bool may_show(std::string url) const {
        auto const path_end = std::min(url.find('?'), url.size());
        std::string_view const path = std::string_view(url).substr(0, path_end);
        if (version_ == db::Version::strapi4 && is_of_one(path)) return true;
        auto parameters = pieces_of(url.substr(path_end), "?&");
        return std::ranges::any_of(parameters, [&](std::string& parameter) {
            parameter.resize(parser::decode_escapes(parameter).size());
            return of_parameter(parameter);
        });
    }

  private:
    static bool is_of_one(std::string_view path) {
        return std::ranges::count(path.substr(0, path.find_last_not_of('/') + 1), '/') > 2;
    }

    bool of_parameter(std::string const& parameter) const {
        auto const has = [&](std::string_view text) {
            return parameter.find(text) != parameter.npos;
        };
        bool const shows = version_ == db::Version::strapi4
                               ? has("publicationState") || has("[on]")
                               : has("status") || has("publicationFilter") || has("hasPublished");
        if (shows) return true;
        return (has("filters") || has("sort")) && std::ranges::any_of(relations_, has);
    }

    db::Version version_;
    std::set<std::string> relations_;
};

// Names for an edge stand for rows of a database, of which each server has its own: what must not
// differ is how many there are. While the log is late, there are none.
bool leave_counts_of_names(fastcgi::Response& one, fastcgi::Response& other) {
    bool const are_named = !one.header("xkey").empty() && !other.header("xkey").empty();
    for (auto* const response : {&one, &other})
        for (auto& [name, value] : response->headers)
            if (name == "xkey" || name == "Surrogate-Control")
                value = are_named ? std::to_string(value.size()) : "";
    if (are_named) return true;
    for (auto* const response : {&one, &other})
        for (auto& [name, value] : response->headers)
            if (name == "xkey") name = "Surrogate-Control";
    return false;
}

bool is_one_of(std::string const& name, std::initializer_list<char const*> names) {
    return std::ranges::any_of(
        names, [&](auto const* one) { return ::strcasecmp(name.c_str(), one) == 0; });
}

// What differs from one response to another of the same thing, since nginx and Varnish say it of
// themselves: nginx closes a connection after 1,000 requests, and names its port in redirects.
void leave_what_is_not_ours(fastcgi::Response& response) {
    std::erase_if(response.headers, [](auto const& header) {
        return is_one_of(header.first,
                         {"Date", "Connection", "Location", "X-Varnish", "X-Cache-Status",
                          "Accept-Ranges", "Content-Length", "Transfer-Encoding"});
    });
}

bool tells_names(fastcgi::Response const& response) {
    return std::ranges::any_of(response.headers, [](auto const& header) {
        return is_one_of(header.first, {"xkey", "Surrogate-Key", "Cache-Tag", "Surrogate-Control",
                                        "Populate-Edge"});
    });
}

// `HTTP_ACCEPT_LANGUAGE` -> `ACCEPT-LANGUAGE`
std::string header_name(std::string parameter) {
    parameter.erase(0, std::string_view("HTTP_").size());
    std::ranges::replace(parameter, '_', '-');
    return parameter;
}

// Asked over its socket, or at a URL as whoever is at that address of this machine.
class Server {
  public:
    Server(std::string address, std::string from)
        : address_(std::move(address)), from_(std::move(from)), application_(address_) {}

    fastcgi::Response response(Request const& request) {
        return is_on_the_web() ? of_the_web(request) : application_.response(request);
    }
    bool is_on_the_web() const { return address_.starts_with("http://"); }

  private:
    fastcgi::Response of_the_web(Request const& request) try {
        if (!web_) web_.emplace(address_, from_);
        fastcgi::Parameters headers;
        for (auto const& [name, value] : request.headers)
            headers.emplace_back(header_name(name), value);
        return web_->ask(request.method, request.url, headers);
    } catch (std::exception const& error) {
        web_.reset();
        return {.status = 0, .headers = {}, .body = error.what()};
    }

    std::string const address_, from_;
    Application application_;
    std::optional<hammer::Client> web_;
};

// Nobody is shown them, whatever they may see.
bool shows_users_of_role(Request const& request, fastcgi::Response const& response) {
    return request.url.find("populate") != std::string::npos &&
           response.body.find(R"("users":)") != std::string::npos;
}

std::string difference(fastcgi::Response const& one, fastcgi::Response const& other) {
    if (one.status != other.status) return "the status differs";
    if (one.headers != other.headers) return "a header differs";
    if (one.body != other.body) return "the body differs";
    return one.body.find(marker) != std::string::npos ? "a hidden value is shown" : "";
}

void show(fastcgi::Response const& one, fastcgi::Response const& other) {
    auto const at = static_cast<std::size_t>(std::ranges::mismatch(one.body, other.body).in1 -
                                             one.body.begin());
    std::size_t const from = at < 60 ? 0 : at - 60;
    for (auto const* response : {&one, &other})
        std::cout << "    " << response->status << " …" << response->body.substr(from, 160) << '\n';
}

// A server whose responses are compared with those of the first.
class Twin {
  public:
    // `drafts`: the databases differ in drafts. Null: in values.
    Twin(std::string const& address, std::string const& from, DraftRule const* drafts)
        : address_(address), server_(address, from), drafts_(drafts) {}

    void compare(Request const& request, fastcgi::Response one) {
        if (drafts_ && drafts_->may_show(request.url)) {
            ++excluded_;
            return;
        }
        auto other = server_.response(request);
        ++asked_;
        if (one.status == 200) ++answered_;
        auto found = server_.is_on_the_web() ? difference_on_the_web(one, other) : "";
        if (leave_counts_of_names(one, other)) ++named_;
        if (found.empty()) found = difference(one, other);
        if (shows_users_of_role(request, other)) found = "the users of a role are shown";
        if (found.empty()) return;
        ++differences_;
        std::cout << found << ": " << reproduction(request) << '\n';
        show(one, other);
    }

    bool differs_often() const { return differences_ >= 20; }
    bool passes() const { return answered_ * 10 > asked_ && differences_ == 0; }
    bool has_hits() const { return hits_ > 0; }
    void print() const {
        std::cout << address_ << ": " << asked_ << " asked, " << answered_ << " answered with 200, "
                  << hits_ << " of them by Varnish, " << named_ << " with names for an edge, "
                  << excluded_ << " not asked since they may show drafts, " << differences_
                  << " differ\n";
    }

  private:
    // There no response may have names.
    std::string difference_on_the_web(fastcgi::Response& one, fastcgi::Response& other) {
        if (other.header("X-Cache-Status") == "HIT") ++hits_;
        bool const tells = tells_names(one) || tells_names(other);
        leave_what_is_not_ours(one);
        leave_what_is_not_ours(other);
        return tells ? "a client is told names" : "";
    }

    std::string address_;
    Server server_;
    DraftRule const* drafts_;
    std::uint64_t asked_ = 0;
    std::uint64_t answered_ = 0; // with 200
    std::uint64_t hits_ = 0;     // Varnish had it
    std::uint64_t named_ = 0;    // with names for an edge
    std::uint64_t excluded_ = 0;
    std::uint64_t differences_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Asks several servers the same");
    Sample sample(app);
    std::string one;
    std::vector<std::string> others, of_drafts, draft_relations;
    app.add_option("--one", one, "socket or URL")->required();
    app.add_option("--other", others, "socket or URL of one that differs in values");
    app.add_option("--drafts", of_drafts, "socket or URL of one that differs in drafts");
    app.add_option("--draft-relations", draft_relations, "through which drafts are seen")
        ->delimiter(',');
    bool is_edge = false;
    app.add_flag("--edge", is_edge, "ask as a cache in front");
    std::string from;
    app.add_option("--from", from, "ask URLs from this address");
    bool is_cached = false;
    app.add_flag("--cached", is_cached, "ask twice: Varnish has some of the answers");
    CLI11_PARSE(app, argc, argv);
    sample.load();

    DraftRule const drafts(sample.schema().cms.version,
                           {draft_relations.begin(), draft_relations.end()});
    Server first(one, from);
    std::deque<Twin> twins;
    for (auto const& address : others)
        twins.emplace_back(address, from, nullptr);
    for (auto const& address : of_drafts)
        twins.emplace_back(address, from, &drafts);
    // Returns false once it is clear that they differ.
    auto const ask = [&](Request request) {
        if (is_edge) request.headers.emplace_back("POPULATE_EDGE", "1");
        for (int times = is_cached ? 2 : 1; times > 0; --times) {
            auto const response = first.response(request);
            for (Twin& twin : twins)
                twin.compare(request, response);
        }
        return std::ranges::none_of(twins, &Twin::differs_often);
    };
    auto const ask_mutants = [&] {
        for (std::uint64_t number = 0; number < sample.mutants(); ++number)
            if (!ask(sample.mutant(number))) return;
    };
    if (std::ranges::all_of(sample.recorded(), ask) &&
        std::ranges::all_of(probes(sample.schema(), sample.recorded().front()), ask))
        ask_mutants();
    for (Twin const& twin : twins)
        twin.print();
    bool const pass = std::ranges::all_of(twins, &Twin::passes) &&
                      (!is_cached || std::ranges::all_of(twins, &Twin::has_hits));
    return !twins.empty() && pass ? 0 : 1;
}

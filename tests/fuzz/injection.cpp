#include "fcgi/access/route.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "tests/fuzz/content.hpp"
#include "tests/fuzz/expect.hpp"

#include <cstdint>
#include <cstdlib>

// A URL from the public, through all stages, against the server of `tests/with database`: by
// an account that may write, so that a write would show.

using fuzz::expect;

namespace {

constexpr unsigned checked_after = 1'000; // requests

fcgi::Options options() {
    char const* owner = std::getenv("POPULATE_TEST_OWNER");
    expect(owner, "it runs in `tests/with database`");
    fcgi::Options options;
    options.schema = PROJECTS "/ks";
    options.database_hosts = db::parse_database_url(owner).value();
    options.connections = 1;
    options.permission_ttl = std::chrono::hours(24);
    options.limits.statement = std::chrono::seconds(20); // this machine may be busy
    return options;
}

class Application {
  public:
    Application()
        : owner_(db::Connection::open(options().database_hosts, db::owner_session).value()),
          content_((mark(), *owner_)),
          service_(fcgi::Service::create(options()).value()) {}

    ~Application() { expect_harmless(); }

    void handle(std::string_view url) {
        fcgi::Request request{};
        request.method = "GET";
        request.path = fuzz::path_of(url);
        request.query = fuzz::query_of(url);
        request.deadline.at = parser::Deadline::Clock::now() + std::chrono::seconds(24);
        fcgi::Response response;
        fcgi::RequestContext context;
        fcgi::handle_request(*service_, request, response, context);

        expect(response.status < 500, "nothing that a client sends is our mistake",
               std::string(response.body.bytes()) + (context.error ? context.error->cause : ""));
        std::string const body(response.body.bytes());
        if (!body.empty()) static_cast<void>(fuzz::json_of(body));
        if (response.status == 200) {
            expect(body.find(fuzz::hidden_mark) == std::string::npos,
                   "what is hidden is not answered", body);
            if (context.plan)
                content_.expect_true(*context.plan, context.result, shows_no_drafts(request));
        }
        if (++answered_ % checked_after == 0) expect_harmless();
    }

  private:
    void mark() {
        auto service = fcgi::Service::create(options()).value();
        auto const state = service->state(fcgi::Freshness());
        expect(state.has_value(), "the database answers", state ? "" : state.error().cause);
        fuzz::mark_hidden(*(*state)->schema, *(*state)->site.public_role, *owner_);
    }

    // Drafts are found by id, below `on` (as by Strapi 4.26), and where the query asks for them.
    bool shows_no_drafts(fcgi::Request const& request) {
        auto const state = service_->state(fcgi::Freshness());
        auto const target = fcgi::find_route(request.path, "/api", *(*state)->schema).target;
        auto const asked = dump(parser::parse_query_string(request.query));
        return target.action != db::Action::find_one && !target.plain &&
               asked.find("\"publicationState\"") == asked.npos &&
               asked.find("\"on\"") == asked.npos;
    }

    void expect_harmless() {
        content_.expect_unchanged(*owner_);
        auto const lease = service_->pool().snapshot(std::chrono::seconds(2));
        expect(lease.has_value(), "there is a connection", lease ? "" : lease.error().cause);
        auto rows = (*lease)->query(db::SqlPiece("SELECT @@session.tx_read_only"));
        expect(rows && rows->next() && rows->text(0) == "1", "the session is read only");
    }

    std::unique_ptr<db::Connection> owner_;
    fuzz::Content content_;
    std::unique_ptr<fcgi::Service> service_;
    unsigned answered_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static Application application;
    application.handle({reinterpret_cast<char const*>(data), size});
    return 0;
}

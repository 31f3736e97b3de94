#include "application_process.hpp"

namespace faults {

ApplicationProcess::ApplicationProcess(ApplicationSettings const& settings)
    : Process(settings.address) {
    auto const& schema = settings.schema.empty() ? PROJECTS "/ks" : settings.schema;
    std::vector<std::string> words{PROGRAM, "serve", "--schema=" + schema,
                                   "--database=" + settings.database, "--listen=" + address()};
    words.insert(words.end(), settings.options.begin(), settings.options.end());
    auto process = settings.process;
    if (settings.is_patient)
        for (std::string const limit : {"STATEMENT", "REQUEST", "ACQUIRE"})
            process.environment.push_back("POPULATE_" + limit + "_TIMEOUT=1m");
    start(words, process);
}

fastcgi::Response ApplicationProcess::get(std::string_view uri,
                                          fastcgi::Parameters const& more) const {
    try {
        return ask(fastcgi::get(uri, more));
    } catch (std::exception const& error) {
        fastcgi::Response none;
        none.status = 0;
        none.body = error.what();
        return none;
    }
}

bool ApplicationProcess::responds(std::string_view uri, int status) const {
    return eventually([&] { return get(uri).status == status; });
}

} // namespace faults

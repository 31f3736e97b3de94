#include "fcgi/indexes/indexes.hpp"

#include "fcgi/indexes/suggest.hpp"
#include "fcgi/options/options.hpp"

#include <memory>

namespace fcgi {

namespace {

struct Arguments {
    std::string word;
    SuggestArguments suggest;
};

int run_indexes(Arguments const& arguments, Options const& options) {
    return suggest_indexes(arguments.suggest, options);
}

} // namespace

Run declare_indexes(CommandLine command) {
    auto const arguments = std::make_shared<Arguments>();
    auto suggest = command.then("suggest", "print the indexes that recorded requests would use",
                                arguments->word);
    suggest.option("--log", arguments->suggest.log,
                   "access log, or paths with queries, one a line; default: standard input");
    suggest.option("--min-rows", arguments->suggest.min_rows,
                   "leave out tables with fewer rows; default: 10000");
    return [arguments](Options const& options) { return run_indexes(*arguments, options); };
}

} // namespace fcgi

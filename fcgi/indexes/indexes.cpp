#include "fcgi/indexes/indexes.hpp"

#include "fcgi/indexes/change.hpp"
#include "fcgi/indexes/suggest.hpp"
#include "fcgi/indexes/trial.hpp"
#include "fcgi/options/options.hpp"

#include <memory>

namespace fcgi {

namespace {

struct Arguments {
    std::string word;
    SuggestArguments suggest;
    TrialArguments trial;
    ApplyArguments apply;
    DropArguments drop;
};

int run_indexes(Arguments const& arguments, Options const& options) {
    if (arguments.word == "suggest") return suggest_indexes(arguments.suggest, options);
    if (arguments.word == "try") return try_indexes(arguments.trial, options);
    if (arguments.word == "apply") return apply_indexes(arguments.apply, options);
    return drop_indexes(arguments.drop, options);
}

} // namespace

Run declare_indexes(CommandLine command) {
    auto const arguments = std::make_shared<Arguments>();
    auto& [word, suggested, tried, applied, dropped] = *arguments;
    auto suggest =
        command.then("suggest", "print the indexes that recorded requests would use", word);
    suggest.option("--log", suggested.log,
                   "access log, or paths with queries, one a line; default: standard input");
    suggest.option("--min-rows", suggested.min_rows,
                   "leave out tables with fewer rows; default: 10000");
    auto trial = command.then("try", "measure requests on a copy, without and with indexes", word);
    trial.required("--on", tried.on, "URL of a copy of the database, which may be changed");
    trial.required("--log", tried.log, "log of the requests to measure, as for `suggest`");
    trial.required("--file", tried.file, "file with lines that `suggest` printed");
    auto apply = command.then("apply", "create the indexes of a file, all or none", word);
    apply.required("--file", applied.file, "file with lines that `suggest` printed");
    apply.flag("--yes", applied.yes, "create them; without it they are only printed");
    apply.flag("--changes-order", applied.changes_order,
               "let the CMS use them, though its lists without a sort may change their order");
    apply.flag("--strapi-keeps-them", applied.strapi_keeps_them,
               "create them in a database of Strapi 4 though it would drop them");
    auto drop = command.then("drop", "drop indexes that `apply` created", word);
    drop.option("--file", dropped.file,
                "file with those to drop; default: all whose names begin with pf_");
    drop.flag("--yes", dropped.yes, "drop them; without it they are only printed");
    return [arguments](Options const& options) { return run_indexes(*arguments, options); };
}

} // namespace fcgi

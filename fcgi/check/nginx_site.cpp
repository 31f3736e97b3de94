#include "fcgi/check/nginx_site.hpp"

#include <set>

namespace fcgi {

namespace {

constexpr auto file_begins = "# configuration file "; // the name follows, and a colon
constexpr std::size_t no_parent = -1;

struct Directive {
    std::vector<std::string> words;
    std::string file;
    std::size_t line = 0;
    std::size_t parent = no_parent; // the block that it stands in
};

class DirectiveReader {
  public:
    explicit DirectiveReader(std::string_view text) : text_(text) {}

    std::vector<Directive> read() && {
        while (at_ < text_.size())
            read_token();
        return std::move(directives_);
    }

  private:
    void read_token() {
        char const c = text_[at_];
        if (c == '#')
            read_comment();
        else if (c == ';' || c == '{' || c == '}')
            read_end(c);
        else if (std::string_view(" \t\r\n").find(c) != std::string_view::npos)
            skip();
        else
            read_word();
    }

    void skip() {
        if (text_[at_++] == '\n') ++line_;
    }

    void read_comment() {
        auto const comment = text_.substr(at_, text_.find('\n', at_) - at_);
        at_ += comment.size();
        if (!comment.starts_with(file_begins) || !comment.ends_with(':')) return;
        file_ = comment.substr(std::string_view(file_begins).size());
        file_.pop_back();
        line_ = 0;
        block_ = no_parent;
    }

    void read_end(char c) {
        ++at_;
        if (c == '}') {
            if (block_ != no_parent) block_ = directives_[block_].parent;
            return;
        }
        directives_.push_back({std::move(words_), file_, first_line_, block_});
        words_.clear();
        if (c == '{') block_ = directives_.size() - 1;
    }

    void read_word() {
        if (words_.empty()) first_line_ = line_;
        char const quote = text_[at_];
        words_.push_back(quote == '"' || quote == '\'' ? quoted(quote) : plain());
    }

    std::string quoted(char quote) {
        std::string word;
        for (++at_; at_ < text_.size() && text_[at_] != quote; skip()) {
            if (text_[at_] == '\\') skip();
            if (at_ < text_.size()) word += text_[at_];
        }
        ++at_;
        return word;
    }

    std::string plain() {
        std::string word;
        for (; at_ < text_.size(); ++at_) {
            char const c = text_[at_];
            bool const is_variable = c == '{' && word.ends_with('$');
            if (std::string_view(" \t\r\n;").find(c) != std::string_view::npos ||
                (c == '{' && !is_variable))
                break;
            word += c;
        }
        return word;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    std::size_t first_line_ = 1;
    std::string file_;
    std::size_t block_ = no_parent;
    std::vector<std::string> words_;
    std::vector<Directive> directives_;
};

using Directives = std::vector<Directive>;

bool is(Directive const& directive, std::string_view name) {
    return directive.words.size() > 1 && directive.words[0] == name;
}

bool is_within(Directives const& all, Directive const& directive, std::string_view name) {
    return directive.parent != no_parent && is(all[directive.parent], name);
}

// The addresses that lead to the port: itself, and the upstreams that have it.
class CmsAddresses {
  public:
    CmsAddresses(Directives const& all, std::string_view port) : end_(":" + std::string(port)) {
        for (Directive const& directive : all)
            if (is(directive, "server") && is_within(all, directive, "upstream") &&
                directive.words[1].ends_with(end_))
                upstreams_.insert(all[directive.parent].words[1]);
    }

    bool contain(std::string_view url) const {
        constexpr std::string_view scheme = "http://";
        if (!url.starts_with(scheme)) return false;
        auto const host = url.substr(scheme.size(), url.find('/', scheme.size()) - scheme.size());
        return host.ends_with(end_) || upstreams_.contains(host);
    }

  private:
    std::string end_;
    std::set<std::string, std::less<>> upstreams_;
};

std::string joined(std::vector<std::string> const& words) {
    std::string text = words.front();
    for (std::size_t i = 1; i < words.size(); ++i)
        text += ' ' + words[i];
    return text;
}

std::vector<std::size_t> lines_of(Directives const& all, std::size_t block, std::string_view name) {
    std::vector<std::size_t> lines;
    for (Directive const& directive : all)
        if (directive.parent == block && is(directive, name)) lines.push_back(directive.line);
    return lines;
}

CmsLocation location_at(Directives const& all, std::size_t block) {
    return {joined(all[block].words), all[block].file, all[block].line, lines_of(all, block, "if"),
            lines_of(all, block, "rewrite")};
}

} // namespace

std::vector<CmsLocation> cms_locations(std::string_view configuration, std::string_view port) {
    auto const all = DirectiveReader(configuration).read();
    CmsAddresses const cms(all, port);
    std::vector<CmsLocation> found;
    for (Directive const& directive : all)
        if (is(directive, "proxy_pass") && is_within(all, directive, "location") &&
            cms.contain(directive.words[1]))
            found.push_back(location_at(all, directive.parent));
    return found;
}

} // namespace fcgi

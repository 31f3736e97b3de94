#include "tests/conformance/record.hpp"

#include "fcgi/commands/comparison.hpp"

#include <zlib.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <sstream>

namespace conformance {
namespace {

using comparison::decode_string;
using comparison::Json;
using comparison::parse_json;

[[noreturn]] void give_up(std::string const& file, std::string_view problem) {
    std::cerr << file << ": " << problem << '\n';
    std::exit(2);
}

// The text of a file, compressed or not.
std::string read(std::string const& file) {
    std::unique_ptr<gzFile_s, int (*)(gzFile)> const in(gzopen(file.c_str(), "rb"), gzclose);
    if (!in) give_up(file, "cannot be opened");
    std::string text;
    std::array<char, 1 << 16> block;
    int length = 0;
    while ((length = gzread(in.get(), block.data(), block.size())) > 0)
        text.append(block.data(), static_cast<std::size_t>(length));
    if (length < 0) give_up(file, "cannot be read");
    return text;
}

// The text of a string member; empty if there is none.
std::string text_of(Json const& object, std::string_view key) {
    auto const* member = object.find(key);
    if (!member) return {};
    return member->kind == Json::ValueKind::string ? decode_string(member->text)
                                                   : std::string(member->text);
}

// A page that does not hold all entries: which it holds depends on their order.
bool is_cut(Json const& body) {
    auto const* data = body.find("data");
    auto const* meta = body.find("meta");
    auto const* pagination = meta ? meta->find("pagination") : nullptr;
    if (!data || !pagination) return false;
    return text_of(*pagination, "total") != std::to_string(data->elements.size());
}

Record record_from(Json const& line) {
    Record record;
    record.id = text_of(line, "id");
    record.group = text_of(line, "group");
    record.method = text_of(line, "method");
    record.path = text_of(line, "path");
    record.auth = text_of(line, "auth");
    if (auto const* headers = line.find("requestHeaders"))
        for (auto const& [name, value] : headers->members)
            record.headers.emplace_back(decode_string(name), decode_string(value.text));

    record.status = std::atoi(text_of(line, "status").c_str());
    if (auto const* headers = line.find("headers")) {
        record.content_type = text_of(*headers, "content-type");
        record.allow = text_of(*headers, "allow");
    } else {
        record.has_headers = false;
    }
    auto const& body = *line.find("body");
    if (body.kind == Json::ValueKind::string) {
        record.bodies.push_back(decode_string(body.text));
    } else {
        record.bodies.emplace_back(body.text);
    }
    for (auto const* key : {"unstable_other", "mysql_driver_body"})
        if (auto const* other = line.find(key)) record.bodies.emplace_back(other->text);
    if (line.find("second")) record.bodies.push_back(text_of(line, "second"));
    if (auto const* others = line.find("others"))
        for (auto const& other : others->elements)
            record.bodies.push_back(other.kind == Json::ValueKind::string
                                        ? decode_string(other.text)
                                        : std::string(other.text));
    record.any_order = line.find("unstable") || line.find("implicit_order_not_by_id") ||
                       line.find("rowOrderUnstable");
    record.is_cut = is_cut(body);
    return record;
}

} // namespace

Secrets::Secrets(std::string const& file) {
    auto const text = read(file);
    auto const secrets = parse_json(text);
    if (!secrets || !secrets->find("apiTokens") || !secrets->find("jwt"))
        give_up(file, "is not the file of test tokens");
    for (auto const& [name, token] : secrets->find("apiTokens")->members)
        tokens_.emplace_back(decode_string(name), decode_string(token.text));
    for (auto const& [name, token] : secrets->find("jwt")->members)
        tokens_.emplace_back("jwt:" + decode_string(name), decode_string(token.text));
    tokens_.emplace_back("badjwt", "not.a.jwt");
}

std::string Secrets::authorization(std::string_view auth) const {
    if (auth == "public") return {};
    if (auth.starts_with("raw:")) return std::string(auth.substr(4));
    for (auto const& [name, token] : tokens_)
        if (name == auth) return "Bearer " + token;
    give_up("auth", auth);
}

std::vector<Record> read_records(std::string const& file) {
    std::istringstream lines(read(file));
    std::vector<Record> records;
    for (std::string line; std::getline(lines, line);) {
        auto const json = parse_json(line);
        if (!json || !json->find("status") || !json->find("body"))
            give_up(file, "has a line that is not a record");
        records.push_back(record_from(*json));
    }
    return records;
}

} // namespace conformance

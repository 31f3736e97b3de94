#include "fcgi/access/credentials.hpp"

#include <boost/test/unit_test.hpp>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

BOOST_AUTO_TEST_SUITE(credentials)

namespace {

using std::chrono::seconds;

constexpr char secret[] = "of the CMS";
std::chrono::system_clock::time_point const now(seconds(1'700'000'000));

// RFC 4648, section 5, without padding.
std::string base64url(std::string_view bytes) {
    std::string text(4 * (bytes.size() / 3 + 1) + 1, '\0');
    auto const size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                                      reinterpret_cast<unsigned char const*>(bytes.data()),
                                      static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(size));
    while (text.ends_with('='))
        text.pop_back();
    for (char& c : text)
        c = c == '+' ? '-' : c == '/' ? '_' : c;
    return text;
}

std::string jwt(std::string const& algorithm, EVP_MD const* digest, std::string const& claims,
                std::string_view key = secret) {
    auto token =
        base64url(R"({"alg":")" + algorithm + R"(","typ":"JWT"})") + '.' + base64url(claims);
    if (!digest) return token + '.';
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
    unsigned size = 0;
    HMAC(digest, key.data(), static_cast<int>(key.size()),
         reinterpret_cast<unsigned char const*>(token.data()), token.size(), bytes.data(), &size);
    return token + '.' + base64url({reinterpret_cast<char const*>(bytes.data()), size});
}

std::string jwt(std::string const& claims) {
    return jwt("HS256", EVP_sha256(), claims);
}

// The user's id, or why there is none.
std::string verified(std::string const& token, std::string const& with = secret,
                     db::Version version = db::Version::strapi4) {
    auto const id = fcgi::verify_jwt(token, with, now, db::cms_of(version).accounts);
    if (id) return *id;
    BOOST_TEST((id.error().kind == parser::ErrorKind::unauthenticated));
    BOOST_TEST(id.error().message == "Missing or invalid credentials");
    return id.error().cause;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_bearer_is_the_second_of_two_words) {
    std::pair<char const*, char const*> const cases[] = {
        {"Bearer abc", "abc"},        {"bearer abc", "abc"},  {"BEARER\tabc", "abc"},
        {"  Bearer \n abc  ", "abc"}, {"Bearer", nullptr},    {"", nullptr},
        {"Bearer abc def", nullptr},  {"Basic abc", nullptr}, {"abc", nullptr},
        {"Bearerabc", nullptr},
    };
    for (auto const& [header, expected] : cases) {
        auto const found = fcgi::bearer_token(header);
        BOOST_TEST(found.value_or("none") == (expected ? expected : "none"), header);
    }
}

BOOST_AUTO_TEST_CASE(a_jwt_of_each_algorithm_names_its_user) {
    BOOST_TEST(verified(jwt("HS256", EVP_sha256(), R"({"id":7})")) == "7");
    BOOST_TEST(verified(jwt("HS384", EVP_sha384(), R"({"id":7})")) == "7");
    BOOST_TEST(verified(jwt("HS512", EVP_sha512(), R"({"id":7})")) == "7");
    BOOST_TEST(verified(jwt(R"({"id":"7a"})")) == "7a");
    BOOST_TEST(verified(jwt(R"({"id":null})")) == "null");
}

// Strapi 5.54: users-permissions verifies with the one algorithm that it signs with.
BOOST_AUTO_TEST_CASE(strapi_5_takes_jwts_of_hs256_alone) {
    auto const of_strapi5 = [](std::string const& token) {
        return verified(token, secret, db::Version::strapi5);
    };
    auto const other = "it is a JWT with another algorithm than HS256";
    BOOST_TEST(of_strapi5(jwt("HS256", EVP_sha256(), R"({"id":7})")) == "7");
    BOOST_TEST(of_strapi5(jwt("HS384", EVP_sha384(), R"({"id":7})")) == other);
    BOOST_TEST(of_strapi5(jwt("HS512", EVP_sha512(), R"({"id":7})")) == other);
}

BOOST_AUTO_TEST_CASE(a_jwt_that_another_could_have_made_names_nobody) {
    auto const foreign = "it is a JWT that was signed with another secret than jwt-secret";
    BOOST_TEST(verified(jwt("HS256", EVP_sha256(), R"({"id":7})", "another")) == foreign);
    BOOST_TEST(verified(jwt("HS512", EVP_sha256(), R"({"id":7})")) == foreign);
    // `alg: none` needs no signature, which is why it counts as none.
    BOOST_TEST(verified(jwt("none", nullptr, R"({"id":7})")) != "7");
    auto changed = jwt(R"({"id":7})");
    changed.replace(changed.find('.') + 1, base64url(R"({"id":7})").size(),
                    base64url(R"({"id":8})"));
    BOOST_TEST(verified(changed) == foreign);
    BOOST_TEST(verified(jwt(R"({"id":7})"), "") == "it is a JWT, and jwt-secret is not set");
    BOOST_TEST(verified("abc") == "it is not a JWT");
    BOOST_TEST(verified("a.b.c") == "it is not a JWT");
}

BOOST_AUTO_TEST_CASE(a_jwt_admits_from_nbf_until_before_exp) {
    auto const expired = "it is a JWT that has expired";
    auto const early = "it is a JWT that is not valid yet (nbf)";
    auto const no_number = "it is a JWT whose exp or nbf is not a number";
    std::pair<char const*, char const*> const cases[] = {
        {R"({"id":7,"exp":1700000001})", "7"},
        {R"({"id":7,"exp":1700000000})", expired},
        {R"({"id":7,"exp":1700000000.5})", "7"},
        {R"({"id":7,"nbf":1700000000})", "7"},
        {R"({"id":7,"nbf":1700000001})", early},
        {R"({"id":7,"exp":"1700000001"})", no_number},
        {R"({"id":7,"nbf":null})", no_number},
        {R"({"exp":1700000001})", "it is a JWT without the id of a user"},
        {R"({"id":true})", "it is a JWT without the id of a user"},
    };
    for (auto const& [claims, expected] : cases)
        BOOST_TEST(verified(jwt(claims)) == expected, claims);
}

// RFC 4231, test case 2.
BOOST_AUTO_TEST_CASE(an_api_token_is_hashed_as_hmac_sha512_in_lower_case) {
    BOOST_TEST(fcgi::hash_api_token("what do ya want for nothing?", "Jefe") ==
               "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
               "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
}

// Nothing listens for this pool: these callers are known without asking the database.
BOOST_AUTO_TEST_CASE(who_names_nobody_is_the_public_as_far_as_that_may_do_anything) {
    db::Pool pool({}, {}, 1);
    db::Schema const schema;
    fcgi::AccountTables const tables;
    auto const caller = [&](std::string_view authorization, db::Site const& site) {
        return fcgi::Accounts().authenticate(authorization, {.jwt = secret, .api_token_salt = {}},
                                             site,
                                             {schema, tables, &pool, std::chrono::milliseconds(1)});
    };
    db::Site site;
    BOOST_TEST(caller("", site).error().cause ==
               "the request has no credentials, and the public role has no permissions");
    site.public_role = std::make_shared<db::Permissions const>();
    BOOST_TEST(caller("", site).value().name == "the public role");
    BOOST_TEST(caller("Basic YTpi", site).value().name == "the public role");
    BOOST_TEST(caller("Bearer abc", site)
                   .error()
                   .cause.starts_with("it is not a JWT; whether it is an API token cannot be "
                                      "known: api-token-salt is not set"));
}

BOOST_AUTO_TEST_SUITE_END()

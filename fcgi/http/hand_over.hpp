#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// Hands requests over to the CMS: this program answers them with a signal, and the web server that
// sees it lets the CMS respond. No status does that, so that those which the web server or the CMS
// give by themselves start nothing.
//
// The web server names the form of the signal that it acts on in the FastCGI parameter
// POPULATE_HAND_OVER, which no client can set: names of a client's headers begin with HTTP_.
//
//     POPULATE_HAND_OVER      the signal
//     /a/uri or @location     X-Accel-Redirect with this value (nginx)
//     three digits            this status (Apache)
//     a header's name         that header, with the value `yes` (Caddy)
//
// Without the parameter, or with a value that is none of these, nothing is handed over: the client
// gets the error.

namespace fcgi {

// Why a request is handed over. Logs and metrics use these names.
enum class HandOver : std::uint8_t {
    none,           // the client gets the response that was made
    unknown_caller, // another program may know the token: the CMS gave out those of sessions
    not_found,      // a route or type with code of its own, a missing entry, or a longer list
    database,       // it cannot be used
    error,          // of this program
};
inline constexpr std::array<std::string_view, 5> hand_over_names = {
    "none", "unknown-caller", "not-found", "database", "error"};

// Returns all header lines of the response that hands a request over, in the form that the web
// server named: no others, because web servers merge them into the CMS's response. A form without a
// status of its own has that of the error. Empty: there is no such form.
std::string hand_over_signal(std::string_view form, int status);

} // namespace fcgi

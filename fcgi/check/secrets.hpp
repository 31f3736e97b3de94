#pragma once

#include "fcgi/check/check.hpp"
#include "fcgi/check/cms_settings.hpp"

namespace fcgi {

// A secret that the CMS and we must have the same.
struct SharedSecret {
    std::string option;
    std::string variable; // of .env, as a rule
    std::string const& ours;
    CmsValues const& theirs;
    std::string loses; // who does something else once it is another
};

// What is wrong with ours, if it is set: another than theirs, or one that others know.
std::vector<Finding> check_secret(SharedSecret const& secret, Options const& options,
                                  CmsSettings const& cms);

} // namespace fcgi

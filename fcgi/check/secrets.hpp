#pragma once

#include "fcgi/check/check.hpp"
#include "fcgi/check/cms_settings.hpp"

namespace fcgi {

// A secret that has to be the same in the CMS and in our settings.
struct SharedSecret {
    std::string option;
    std::string variable; // of .env, as a rule
    std::string const& ours;
    CmsValues const& theirs;
    std::string loses; // what happens once it is another
};

// Returns what is wrong with ours, if it is set: it is not theirs, or others know it.
std::vector<Finding> check_secret(SharedSecret const& secret, Options const& options,
                                  CmsSettings const& cms);

} // namespace fcgi

#include "fcgi/options/options.hpp"

#include <algorithm>
#include <string_view>

namespace fcgi {

void hide_passwords(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        std::string_view const argument = argv[i];
        for (auto begin = argument.find("://"); begin != argument.npos;
             begin = argument.find("://", begin + 1)) {
            // This is user:password@host; the host is what follows the last @ before a slash.
            auto const authority =
                argument.substr(begin + 3, argument.find('/', begin + 3) - begin - 3);
            auto const colon = authority.find(':'), at = authority.rfind('@');
            if (colon == authority.npos || at == authority.npos || at < colon) continue;
            std::fill(argv[i] + begin + 3 + colon + 1, argv[i] + begin + 3 + at, '*');
        }
    }
}

} // namespace fcgi

#include "parser/default_parameters.hpp"

#include <algorithm>

namespace parser {

void apply(DefaultParameters const& parameters, Object& query) {
    auto members = query.members();
    auto const find = [&](std::string const& name) {
        return std::ranges::find(members, name, &Object::Member::first);
    };
    for (auto const& parameter : parameters.absent.members())
        if (find(parameter.first) == members.end()) members.push_back(parameter);
    for (auto const& parameter : parameters.always.members())
        if (auto const own = find(parameter.first); own != members.end())
            own->second = parameter.second;
        else
            members.push_back(parameter);
    query = Object(std::move(members));
}

} // namespace parser

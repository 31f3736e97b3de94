#pragma once

#include "db/read/result_tree.hpp"

#include <cstddef>
#include <string>

// All that was read, as a text to compare: the total, then a line for each row.
inline std::string text_of(db::ResultTree const& tree) {
    std::string text = tree.total ? std::to_string(*tree.total) : "";
    for (db::Rows const& node : tree.nodes)
        for (db::Row const& row : node.rows) {
            text.append("\n").append(std::to_string(row.parent));
            text.append(" ").append(std::to_string(row.id));
            for (std::size_t i = 0; i < node.width; ++i)
                text.append("|").append(node.cells_of(row)[i]);
        }
    return text;
}

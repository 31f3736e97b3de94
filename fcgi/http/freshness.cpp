#include "fcgi/http/freshness.hpp"

namespace fcgi {

parser::Result<ReadMark> Freshness::begin(db::Pool::Lease& lease, db::Extent extent,
                                          Tables const& tables,
                                          parser::Deadline const& deadline) const {
    ReadMark mark{{}, now_};
    std::function<void(db::Connection&)> first;
    if (log_ && tables)
        first = [&](db::Connection& connection) {
            mark.tag = log_->tag_for(connection, *tables, deadline);
            if (mark.tag.epoch != epoch_) mark.tag = {};
        };
    if (auto begun = lease.begin(extent, first); !begun) return begun.error();
    return mark;
}

} // namespace fcgi

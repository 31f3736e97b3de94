#include "fcgi/cache/freshness.hpp"

namespace fcgi {

parser::Result<ReadMark> Freshness::begin(db::Pool::Lease& lease, db::Extent extent,
                                          Tables const& tables,
                                          parser::Deadline const& deadline) const {
    for (;;) {
        if (auto done = lease.connect(); !done) return done.error();
        ReadMark mark{{}, now_};
        if (log_ && tables) mark.tag = log_->tag_for(*lease, *tables, deadline);
        if (mark.tag.epoch != epoch_) mark.tag = {};
        auto const begun = lease.try_begin(extent);
        if (!begun) return begun.error();
        if (*begun) return mark;
    }
}

} // namespace fcgi

#include "fcgi/server/asking.hpp"

#include <utility>

namespace fcgi {

// A client that arrives in the second half of that time causes a new inquiry, so that under load no
// client waits.
std::uint64_t Asking::epoch_at_once(Time now) {
    if (last_.epoch == 0 || now - confirmed_at_ >= bound_) return 0;
    is_to_be_renewed_ = now - confirmed_at_ >= bound_ / 2;
    return last_.epoch;
}

void Asking::add(Client& client, std::uint64_t question, Time now) {
    clients_.push_back({&client, question, now});
    client.state = Client::State::asking;
}

void Asking::asked(std::uint64_t question, Time now) {
    asked_ = question;
    asked_at_ = now;
    is_to_be_renewed_ = false;
}

void Asking::heard(db::Inquiry::InquiryResult answer) {
    auto const before = std::exchange(last_, answer);
    if (last_.epoch != before.epoch) confirmed_at_ = {};
    if (last_.epoch == before.epoch && last_.number == before.number) return;
    is_behind_ = false;
    if (last_.number != before.number && last_.number == asked_) confirmed_at_ = asked_at_;
}

Client* Asking::next(Time now) {
    if (clients_.empty()) return nullptr;
    auto const [client, question, since] = clients_.front();
    bool const is_answered = last_.epoch != 0 && question <= last_.number;
    if (!is_answered && last_.epoch != 0 && !is_behind_ && now - since < patience) return nullptr;
    is_behind_ = !is_answered && last_.epoch != 0;
    client->request.epoch = is_answered ? last_.epoch : 0;
    clients_.pop_front();
    return client;
}

Asking::Time Asking::next_look() const {
    return clients_.empty() ? Time::max() : clients_.front().since + patience;
}

} // namespace fcgi

#include "fcgi/connections/worker.hpp"

#include "fcgi/connections/record.hpp"
#include "fcgi/connections/response_writer.hpp"

#include <exception>
#include <memory>
#include <string>
#include <utility>

#include <fcgiapp.h>
#include <sys/mman.h>
#include <unistd.h>

namespace fcgi {

namespace {

using Progress = ResponseWriter::Progress;
using Patience = ResponseWriter::Patience;

constexpr std::size_t kept_buffer_bytes = 1024 * 1024;

// One request as libfcgi decodes it.
//
// libfcgi has no way in for bytes that were read already, but it reads from any descriptor in
// `ipcFd`. A file in memory neither blocks nor ends, and holds a head of any size.
class DecodedRequest {
  public:
    DecodedRequest() {
        FCGX_InitRequest(&request_, -1, 0);
        open_file();
    }
    DecodedRequest(DecodedRequest const&) = delete;
    DecodedRequest& operator=(DecodedRequest const&) = delete;
    ~DecodedRequest() { FCGX_Free(&request_, 1); }

    // False if the system has no memory or descriptor left. Values are valid until the next call.
    bool decode(RequestHead const& head) {
        FCGX_Free(&request_, 0);             // what the one before took; to finish it would write
        if (request_.ipcFd < 0) open_file(); // libfcgi closes it after an error
        request_.keepConnection = 1;         // else FCGX_Accept_r closes what it did not open
        write_records(head);
        auto size = static_cast<ssize_t>(records_.size());
        if (::pwrite(request_.ipcFd, records_.data(), records_.size(), 0) != size) return false;
        ::lseek(request_.ipcFd, 0, SEEK_SET);
        return FCGX_Accept_r(&request_) == 0;
    }

    std::string_view value(char const* name) const {
        char const* text = FCGX_GetParam(name, request_.envp);
        return text ? text : std::string_view();
    }

  private:
    void open_file() { request_.ipcFd = ::memfd_create("request", MFD_CLOEXEC); }

    void write_records(RequestHead const& head) {
        records_.clear();
        std::string begin(begin_body_bytes, '\0');
        begin[1] = responder_role;
        begin[2] = keep_connection_flag;
        append_record(records_, RecordType::begin_request, head.id, begin);
        std::string_view left = head.parameters;
        while (!left.empty()) {
            auto content = left.substr(0, max_record_content);
            append_record(records_, RecordType::parameters, head.id, content);
            left.remove_prefix(content.size());
        }
        append_record(records_, RecordType::parameters, head.id, {});
    }

    FCGX_Request request_{};
    std::string records_;
};

// The clients that get the answer to another's request.
class WaitingTwins final : public Twins {
  public:
    explicit WaitingTwins(RequestQueue& queue) : queue_(queue) {}

    void of(Client const& client) { first_ = &client; }
    bool take() override {
        queue_.take_twins(*first_, clients);
        return !clients.empty();
    }
    void put_back() {
        queue_.put_back(clients);
        clients.clear();
    }

    std::vector<Client*> clients;

  private:
    RequestQueue& queue_;
    Client const* first_ = nullptr;
};

// Answers one client after another with the buffers of one thread.
class Worker {
  public:
    Worker(ServerOptions const& options, Handler const& handler, RequestQueue& queue,
           std::function<void(Client&)> const& give_back)
        : options_(options),
          handler_(handler),
          queue_(queue),
          give_back_(give_back),
          twins_(queue) {}

    // Whatever is thrown on the way, memory that ran out above all, costs this answer alone.
    void answer(Client& client) try { respond(client); } catch (std::exception const& error) {
        options_.observe(event::Threw{event::Threw::While::answering, error.what()});
        apologise(client);
    }

  private:
    void respond(Client& client) {
        if (client.answer) return send_rest(client);
        response_.clear();
        if (Client::Time::clock::now() >= client.request_deadline)
            write_error(parser::unavailable("no worker was free in time"), response_);
        else if (decoded_.decode(client.reader.head()))
            call_handler(client);
        else
            write_error(parser::unavailable("no memory for the parameters"), response_);
        queue_.release_twins(client);
        if (twins_.clients.empty())
            send(client, response_);
        else
            send(client, *share());
        if (response_.body.capacity() > kept_buffer_bytes) std::string().swap(response_.body);
    }

    // Nothing was sent yet: sending throws, if at all, before its first byte.
    void apologise(Client& client) try {
        client.keep = false;
        queue_.release_twins(client);
        twins_.put_back();
        write_error({}, response_);
        send(client, response_);
    } catch (std::exception const& error) {
        options_.observe(event::Threw{event::Threw::While::apologising, error.what()});
    }

    void send(Client& client, Response const& response) {
        client.writer.start(client.reader.head().id, response);
        finish(client, client.writer.send(client.socket, Patience::until_shut_down), response,
               false);
    }

    void finish(Client& client, Progress progress, Response const& response, bool shared) {
        auto const& head = client.reader.head();
        client.keep = progress == Progress::done && head.keep_connection;
        options_.observe(event::Answered{head, response, client.number, shared,
                                         Client::Time::clock::now() - client.arrived});
    }

    // Gives the answer to the twins as well. A failure is each request's own: others have more
    // time left, say.
    std::shared_ptr<Response const> share() {
        auto shared = std::make_shared<Response const>(std::move(response_));
        if (shared->status < 500)
            std::erase_if(twins_.clients,
                          [&](Client* twin) { return send_to_twin(*twin, shared); });
        twins_.put_back();
        return shared;
    }

    // False: it goes back to the queue, for a worker to wait for its client, or to answer it anew.
    bool send_to_twin(Client& twin, std::shared_ptr<Response const> const& answer) try {
        twin.writer.start(twin.reader.head().id, *answer);
        twin.answer = answer;
        auto const progress = twin.writer.send(twin.socket, Patience::none);
        if (progress == Progress::blocked) return false;
        finish_twin(twin, progress);
        give_back_(twin);
        return true;
    } catch (std::bad_alloc const&) {
        return false;
    }

    void send_rest(Client& twin) {
        finish_twin(twin, twin.writer.send(twin.socket, Patience::until_shut_down));
    }

    void finish_twin(Client& twin, Progress progress) {
        finish(twin, progress, *twin.answer, true);
        twin.answer = nullptr;
    }

    void call_handler(Client& client) {
        std::string path;
        auto request = read_request(path);
        request.deadline = {client.request_deadline, &client.abandoned};
        request.arrived = client.arrived;
        request.number = client.number;
        twins_.of(client);
        request.twins = &twins_;
        if (request.method.empty())
            write_error({parser::ErrorKind::malformed, "The request has no method"}, response_);
        else
            handler_(request, response_);
    }

    // `path` holds what has to be put together where the web server sends no REQUEST_URI; the
    // paths of the other parameters are decoded and merged, the best there is then.
    Request read_request(std::string& path) const {
        Request request;
        for (auto const& [name, value] : request_parameters)
            request.*value = decoded_.value(name);
        request.id = decoded_.value("HTTP_X_REQUEST_ID");
        if (!request.target.empty()) {
            auto target = split_target(request.target);
            request.path = target.path;
            request.query = target.query;
            return request;
        }
        path = decoded_.value("DOCUMENT_URI");
        if (path.empty())
            path.append(decoded_.value("SCRIPT_NAME")).append(decoded_.value("PATH_INFO"));
        request.path = path;
        request.query = decoded_.value("QUERY_STRING");
        return request;
    }

    ServerOptions const& options_;
    Handler const& handler_;
    RequestQueue& queue_;
    std::function<void(Client&)> const& give_back_;
    DecodedRequest decoded_;
    Response response_;
    WaitingTwins twins_;
};

} // namespace

Workers::Workers(ServerOptions const& options, Handler handler,
                 std::function<void(Client&)> give_back)
    : handler_(std::move(handler)),
      give_back_(std::move(give_back)),
      queue_(options.workers, options.share_requests, options.longest_hold) {
    FCGX_Init();
    for (std::size_t i = 0; i < options.workers; ++i)
        threads_.emplace_back(
            [this, worker = std::make_unique<Worker>(options, handler_, queue_, give_back_)] {
                while (auto* client = queue_.next()) {
                    worker->answer(*client);
                    give_back_(*client);
                }
            });
}

Workers::~Workers() {
    queue_.close();
    for (auto& thread : threads_)
        thread.join();
}

} // namespace fcgi

#include "plimsoll/cli/serve/run_server.h"

#include <httplib.h>

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/serve/answer.h"
#include "plimsoll/cli/serve/bounded_connection.h"
#include "plimsoll/cli/serve/live_events.h"

namespace plimsoll::serve {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kThreads = 24, kMostWaiting = 64;
constexpr int kMostLive = 16;  // pages that are open
constexpr std::chrono::seconds kPollTime(1), kBeatTime(5), kLiveTime(300);

// A connection that comes while too many wait is closed by the thread that accepts.
thread_local bool refuses_connection = false;

// 128 random bits.
std::string new_token() {
  std::array<unsigned char, 16> bytes = {};
  if (getrandom(bytes.data(), bytes.size(), 0) != std::ssize(bytes))
    throw IoError("serve: the system gives no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

class Stream final : public httplib::Stream {
 public:
  explicit Stream(BoundedConnection& connection) : connection_(connection) {}

  bool is_readable() const override { return true; }
  bool is_writable() const override { return connection_.is_open(); }
  ssize_t read(char* into, size_t size) override { return connection_.read(into, size); }
  ssize_t write(const char* bytes, size_t size) override { return connection_.write(bytes, size); }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return connection_.socket(); }

 private:
  BoundedConnection& connection_;
};

class BoundedQueue final : public httplib::TaskQueue {
 public:
  // A later cpp-httplib wants to know whether the task was taken.
  using Taken = decltype(std::declval<httplib::TaskQueue&>().enqueue(std::function<void()>()));

  Taken enqueue(std::function<void()> task) override {
    if (waiting_->fetch_add(1) >= static_cast<int>(kMostWaiting + kThreads)) {
      --*waiting_;
      refuses_connection = true;
      task();
      refuses_connection = false;
      return static_cast<Taken>(true);
    }
    pool_.enqueue([task = std::move(task), waiting = waiting_] {
      task();
      --*waiting;
    });
    return static_cast<Taken>(true);
  }
  void shutdown() override { pool_.shutdown(); }

 private:
  httplib::ThreadPool pool_{kThreads};
  std::shared_ptr<std::atomic<int>> waiting_ = std::make_shared<std::atomic<int>>(0);
};

Question question_of(const httplib::Request& request) {
  Question question{.method = request.method, .path = request.path};
  for (const auto& [name, value] : request.params) question.parameters[name] = value;
  if (request.get_header_value_count("Host") == 1) question.host = request.get_header_value("Host");
  question.origin = request.get_header_value("Origin");
  question.last_event = request.get_header_value("Last-Event-ID");
  return question;
}

httplib::Headers headers() {
  return {{"Content-Security-Policy",
           "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
           "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
          {"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"},
          {"Cache-Control", "no-store"}};
}

}  // namespace

class RunServer::Server final : public httplib::Server {
 public:
  Server(const std::string& folder, int port) : served_{folder, new_token(), port} {
    new_task_queue = [] { return new BoundedQueue; };
    set_default_headers(headers());
    // By default the library lets several servers share a port.
    set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      reply(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    const char* here = "127.0.0.1";
    if (port == 0) served_.port = bind_to_any_port(here);
    const bool is_bound = port == 0 ? served_.port > 0 : bind_to_port(here, port);
    if (!is_bound)
      throw IoError(fmt::format("serve: cannot listen on port {} of {}; is it taken? pass --port",
                                port, here));
  }

  const ServedFolder& served() const { return served_; }
  void end() {
    is_ending_ = true;
    httplib::Server::stop();
  }

 private:
  // How the library is asked has changed; what is asked has not.
  template <class Self>
  static void process(Self& self, httplib::Stream& stream) {
    bool is_closed = false;
    if constexpr (requires { self.process_request(stream, true, is_closed, nullptr); })
      self.process_request(stream, true, is_closed, nullptr);
    else
      self.process_request(stream, "127.0.0.1", 0, "127.0.0.1", self.served_.port, true, is_closed,
                           nullptr);
  }

  bool process_and_close_socket(socket_t socket) override {
    BoundedConnection connection(static_cast<int>(socket));
    if (refuses_connection || !connection.read_head()) return false;
    Stream stream(connection);
    process(*this, stream);
    return true;
  }

  void reply(const httplib::Request& request, httplib::Response& response) {
    Answer found;
    try {
      const Question question = question_of(request);
      std::unique_lock asking(asking_, std::defer_lock);
      if (question.method == "POST") asking.lock();
      found = answer(question, served_);
    } catch (const std::exception& error) {
      found = {.status = 500, .body = std::string(error.what()) + "\n"};
    }
    if (found.live && live_.fetch_add(1) >= kMostLive) {
      --live_;
      found = {.status = 503, .body = "too many pages are open\n"};
    }
    response.status = found.status;
    if (found.live)
      stream_to(response, *found.live);
    else
      response.set_content(found.body, found.type);
  }

  void stream_to(httplib::Response& response, const LiveRequest& wanted) {
    const auto events = std::make_shared<LiveEvents>(wanted.name, wanted.from, served_.logs);
    const auto end = Clock::now() + kLiveTime;
    const auto beat = std::make_shared<Clock::time_point>(Clock::now());
    response.set_chunked_content_provider(
        "text/event-stream",
        [=, this](size_t, httplib::DataSink& sink) {
          const auto run = RunDoor::open(served_.folder, wanted.name);
          std::string text = run ? events->poll(*run) : "";
          if (text.empty() && Clock::now() - *beat > kBeatTime) text = ": still here\n\n";
          if (!text.empty()) {
            *beat = Clock::now();
            if (!sink.write(text.data(), text.size())) return false;
          }
          if (!run || is_ending_ || Clock::now() > end) {
            sink.done();
            return true;
          }
          return wait(sink);
        },
        [this](bool) { --live_; });
  }

  bool wait(const httplib::DataSink& sink) const {
    for (const auto until = Clock::now() + kPollTime; Clock::now() < until && !is_ending_;) {
      if (!sink.is_writable()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
  }

  ServedFolder served_;
  std::atomic<int> live_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::mutex asking_;  // a run for something
};

RunServer::RunServer(const std::string& folder, int port)
    : server_(std::make_unique<Server>(folder, port)) {}

RunServer::~RunServer() = default;

std::string RunServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", server_->served().port, server_->served().token);
}

void RunServer::run() {
  server_->listen_after_bind();
}

void RunServer::stop() {
  server_->end();
}

}  // namespace plimsoll::serve

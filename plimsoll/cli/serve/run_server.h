// RunServer: the HTTP server of 'plimsoll serve', by cpp-httplib, on this machine's own address.
#pragma once

#include <memory>
#include <string>

namespace plimsoll::serve {

class RunServer {
 public:
  // Listens on the port; 0: a free one. IoError where it cannot.
  RunServer(const std::string& folder, int port);
  ~RunServer();
  RunServer(const RunServer&) = delete;
  RunServer& operator=(const RunServer&) = delete;

  // "http://127.0.0.1:40123/TOKEN/"
  std::string address() const;
  // Until stop(), which may be called from another thread.
  void run();
  void stop();

 private:
  class Server;
  std::unique_ptr<Server> server_;
};

}  // namespace plimsoll::serve

// BoundedConnection: a connection whose client may be slow, broken or hostile. A request is read
// within a few seconds and kilobytes, or the connection ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>

namespace plimsoll::serve {

class BoundedConnection {
 public:
  // Takes the socket.
  explicit BoundedConnection(int socket);
  ~BoundedConnection();
  BoundedConnection(const BoundedConnection&) = delete;
  BoundedConnection& operator=(const BoundedConnection&) = delete;

  // Reads the head of a request: all of it, before anything looks at it. False where it did not
  // come in time, is larger than a browser sends, or has something that no page here sends: a body,
  // a range, another coding.
  bool read_head();

  // What was read, then nothing: a request has no body.
  ssize_t read(char* into, size_t size);
  // All of it, or -1 where the client does not take it in time.
  ssize_t write(const char* bytes, size_t size);
  // True if the client is still there.
  bool is_open() const;
  int socket() const { return socket_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool wait_for(short events, Clock::time_point until) const;

  int socket_;
  std::string head_;
  size_t read_ = 0;  // of the head
};

}  // namespace plimsoll::serve

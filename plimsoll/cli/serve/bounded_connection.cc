#include "plimsoll/cli/serve/bounded_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace plimsoll::serve {
namespace {

constexpr size_t kMostHeadBytes = 16 << 10;
constexpr int kMostHeaders = 64;
constexpr auto kHeadTime = std::chrono::seconds(5), kWriteTime = std::chrono::seconds(5);

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_refused(const std::string& header) {
  constexpr std::string_view kRefused[] = {
      "transfer-encoding:", "expect:", "range:", "content-encoding:", "upgrade:"};
  for (const std::string_view name : kRefused)
    if (header.starts_with(name)) return true;
  const std::string_view length = "content-length:";
  return header.starts_with(length) && header.find_first_not_of(" 0", length.size()) != header.npos;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
}

// The lines after the first are headers, each "name: value". A library may end a line at a bare
// line feed, so a line has no character that is not shown.
bool is_plain(std::string_view head) {
  int lines = 0;
  for (size_t end = head.find("\r\n"); end != head.npos; end = head.find("\r\n")) {
    const std::string line = lower(head.substr(0, end));
    head.remove_prefix(end + 2);
    if (line.empty()) return head.empty();
    if (++lines > kMostHeaders + 1) return false;
    if (std::ranges::any_of(line, is_control)) return false;
    if (lines > 1 && (is_refused(line) || line.find(':') == line.npos || line[0] == ' '))
      return false;
  }
  return false;
}

}  // namespace

BoundedConnection::BoundedConnection(int socket) : socket_(socket) {}

BoundedConnection::~BoundedConnection() {
  shutdown(socket_, SHUT_RDWR);
  close(socket_);
}

bool BoundedConnection::wait_for(short events, Clock::time_point until) const {
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    pollfd watched{.fd = socket_, .events = events, .revents = 0};
    const int found = poll(&watched, 1, static_cast<int>(left));
    if (found > 0) return true;
    if (found < 0 && errno != EINTR) return false;
  }
}

bool BoundedConnection::read_head() {
  const Clock::time_point until = Clock::now() + kHeadTime;
  while (head_.find("\r\n\r\n") == head_.npos) {
    if (head_.size() >= kMostHeadBytes || !wait_for(POLLIN, until)) return false;
    char piece[4096];
    const ssize_t count = recv(socket_, piece, sizeof piece, MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (count > 0) head_.append(piece, static_cast<size_t>(count));
  }
  return is_plain(head_);
}

ssize_t BoundedConnection::read(char* into, size_t size) {
  const size_t count = std::min(size, head_.size() - read_);
  std::memcpy(into, head_.data() + read_, count);
  read_ += count;
  return static_cast<ssize_t>(count);
}

ssize_t BoundedConnection::write(const char* bytes, size_t size) {
  const Clock::time_point until = Clock::now() + kWriteTime;
  for (size_t done = 0; done < size;) {
    if (!wait_for(POLLOUT, until)) return -1;
    const ssize_t count = send(socket_, bytes + done, size - done, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) return -1;
    if (count > 0) done += static_cast<size_t>(count);
  }
  return static_cast<ssize_t>(size);
}

bool BoundedConnection::is_open() const {
  pollfd watched{.fd = socket_, .events = POLLIN | POLLRDHUP, .revents = 0};
  return poll(&watched, 1, 0) == 0 || (watched.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

}  // namespace plimsoll::serve

// What the server says to a request. Knows nothing of HTTP libraries.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "plimsoll/report/known_logs.h"
#include "plimsoll/train/report/known_stories.h"

namespace plimsoll::serve {

struct Question {
  std::string method;  // "GET", "POST"
  std::string path;    // "/TOKEN/serve.js", decoded
  std::map<std::string, std::string> parameters = {};
  std::string host = {};    // empty where there is none, or several
  std::string origin = {};  // of the page that asks; may be empty
  std::string last_event = {};
};

// A page that stays open and is sent what happens in a run.
struct LiveRequest {
  std::string name;
  int64_t from = 0;  // the byte of the log
};

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::optional<LiveRequest> live = {};  // in place of the body
};

struct ServedFolder {
  std::string folder;
  std::string token;
  int port = 0;
  std::shared_ptr<KnownLogs> logs = std::make_shared<KnownLogs>();
  std::shared_ptr<KnownStories> stories = std::make_shared<KnownStories>();
};

// A request for anything but the pages of a run below the folder, or without the token, or with the
// name of another host, gets a status and one word.
Answer answer(const Question& question, const ServedFolder& served);

}  // namespace plimsoll::serve

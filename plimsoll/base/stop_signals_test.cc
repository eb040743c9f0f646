#include "plimsoll/base/stop_signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::KilledBySignal;
using ::testing::ThrowsMessage;

using Handler = void (*)(int);

Handler handler_of(int number) {
  struct sigaction now = {};
  sigaction(number, nullptr, &now);
  return now.sa_handler;
}

void own_handler(int) {}

// Each test begins with what a process begins with, and leaves that.
class StopSignalsTest : public testing::Test {
 protected:
  StopSignalsTest() { use_defaults(); }
  ~StopSignalsTest() override { use_defaults(); }

 private:
  static void use_defaults() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(number, SIG_DFL);
  }
};

TEST_F(StopSignalsTest, ASignalIsNotedAndThrownWhereARunLooks) {
  const StopSignals signals;
  EXPECT_EQ(StopSignals::received(), 0);
  EXPECT_NO_THROW(StopSignals::check());
  std::raise(SIGTERM);
  EXPECT_EQ(StopSignals::received(), SIGTERM);
  EXPECT_THAT([] { StopSignals::check(); },
              ThrowsMessage<Stopped>(HasSubstr("stopped by a request to terminate")));
}

TEST_F(StopSignalsTest, TheNextRunKnowsNothingOfTheSignal) {
  std::optional<StopSignals> signals(std::in_place);
  std::raise(SIGHUP);
  std::raise(SIGUSR1);
  signals.reset();
  signals.emplace();
  EXPECT_EQ(StopSignals::received(), 0);
  EXPECT_FALSE(StopSignals::take_checkpoint_wish());
}

// Without the object it would have ended the process when it came.
TEST_F(StopSignalsTest, ASignalThatNothingHasThrownEndsTheProcessAfterAll) {
  const auto after = [](bool is_thrown) {
    {
      const StopSignals signals(StopSignals::Take::unhandled);
      std::raise(SIGTERM);
      if (is_thrown) {
        EXPECT_THROW(StopSignals::check(), Stopped);
      }
    }
    _exit(0);
  };
  EXPECT_EXIT(after(false), KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(after(true), ::testing::ExitedWithCode(0), "");
}

TEST_F(StopSignalsTest, AWishForACheckpointIsTakenOnce) {
  const StopSignals signals;
  std::raise(SIGUSR1);
  EXPECT_TRUE(StopSignals::take_checkpoint_wish());
  EXPECT_FALSE(StopSignals::take_checkpoint_wish());
  EXPECT_EQ(StopSignals::received(), 0);
}

TEST_F(StopSignalsTest, ASecondSignalEndsTheProcessAtOnce) {
  const auto twice = [](int first, int second) {
    const StopSignals signals;
    std::raise(first);
    std::raise(second);
  };
  EXPECT_EXIT(twice(SIGTERM, SIGTERM), KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(twice(SIGINT, SIGTERM), KilledBySignal(SIGTERM), "");
}

TEST_F(StopSignalsTest, ATerminalThatClosesSendsSeveral) {
  const StopSignals signals;
  std::raise(SIGHUP);
  std::raise(SIGHUP);
  EXPECT_EQ(StopSignals::received(), SIGHUP);
}

TEST_F(StopSignalsTest, PutBackTheHandlersThatWereThere) {
  std::signal(SIGTERM, own_handler);
  std::signal(SIGUSR1, SIG_IGN);
  {
    const StopSignals signals;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
      EXPECT_NE(handler_of(number), SIG_DFL) << number;
    EXPECT_NE(handler_of(SIGTERM), own_handler);
    EXPECT_NE(handler_of(SIGUSR1), SIG_IGN);
    std::raise(SIGTERM);  // which has no handler then
  }
  EXPECT_EQ(handler_of(SIGINT), SIG_DFL);
  EXPECT_EQ(handler_of(SIGTERM), own_handler);
  EXPECT_EQ(handler_of(SIGHUP), SIG_DFL);
  EXPECT_EQ(handler_of(SIGUSR1), SIG_IGN);
}

TEST_F(StopSignalsTest, WhatTheProgramSetsMeanwhileStays) {
  {
    const StopSignals signals;
    std::signal(SIGTERM, own_handler);
  }
  EXPECT_EQ(handler_of(SIGTERM), own_handler);
}

TEST_F(StopSignalsTest, AHangUpThatIsIgnoredStaysIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  const StopSignals signals;
  EXPECT_EQ(handler_of(SIGHUP), SIG_IGN);
}

TEST_F(StopSignalsTest, OfAProgramOnlyThoseAreTakenThatWouldEndIt) {
  std::signal(SIGTERM, own_handler);
  std::signal(SIGUSR1, SIG_IGN);
  const StopSignals signals(StopSignals::Take::unhandled);
  EXPECT_TRUE(signals.takes_any());
  EXPECT_TRUE(StopSignals::is_noted(SIGHUP));
  for (const int number : {SIGINT, SIGTERM, SIGUSR1})
    EXPECT_FALSE(StopSignals::is_noted(number)) << number;
  EXPECT_EQ(handler_of(SIGINT), SIG_DFL);
  EXPECT_EQ(handler_of(SIGTERM), own_handler);
  EXPECT_NE(handler_of(SIGHUP), SIG_DFL);
  EXPECT_EQ(handler_of(SIGUSR1), SIG_IGN);
}

TEST_F(StopSignalsTest, OneWithinAnotherSeesTheSameSignals) {
  const StopSignals outer;
  std::raise(SIGTERM);
  std::raise(SIGUSR1);
  {
    const StopSignals inner(StopSignals::Take::unhandled);
    EXPECT_EQ(StopSignals::received(), SIGTERM);
    EXPECT_TRUE(StopSignals::take_checkpoint_wish());
    EXPECT_TRUE(StopSignals::is_noted(SIGUSR1));
  }
  EXPECT_NE(handler_of(SIGHUP), SIG_DFL);
  EXPECT_EQ(StopSignals::received(), SIGTERM);
}

TEST_F(StopSignalsTest, AForkedChildIsEndedByThem) {
  for (const int number : {SIGTERM, SIGHUP, SIGUSR1}) {
    const StopSignals signals;
    const pid_t child = fork();
    if (child == 0) {
      std::raise(number);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number << ": " << status;
  }
  EXPECT_EQ(StopSignals::received(), 0);
}

}  // namespace
}  // namespace plimsoll

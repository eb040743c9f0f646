/* Clocks that jump, to be preloaded: every 40 ms of real time the wall clock is another year, back and forth, and the clock that
   measures time leaps ten minutes ahead, as on a machine that was paused. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* now) {
  static const long years[] = {0, -20, 70, 1, -3};
  static long begin = -1;
  struct timespec real;
  int result = (int)syscall(SYS_clock_gettime, clock, now);
  if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) return result;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &real);
  const long ticks = real.tv_sec * 25 + real.tv_nsec / 40000000;
  if (begin < 0) begin = ticks;
  if (clock == CLOCK_REALTIME)
    now->tv_sec += years[ticks % 5] * 365 * 86400;
  else
    now->tv_sec += (ticks - begin) * 600;
  return 0;
}

int gettimeofday(struct timeval* now, void* zone) {
  struct timespec precise;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t* now) {
  struct timespec precise;
  clock_gettime(CLOCK_REALTIME, &precise);
  if (now != NULL) *now = precise.tv_sec;
  return precise.tv_sec;
}

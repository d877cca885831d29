/* What asks the command to end. SIGINT, SIGTERM, SIGHUP and SIGXCPU are alike: before there is a search the command ends at once; from then on the
   first one cancels the search, whose best plan is still written, and a second one ends the command at once. */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static void (*volatile cancels)(void *);
static void *volatile cancelled;
static volatile sig_atomic_t came;
static const char *volatile unfinished;

/* Everything here may be called from a handler. The signal is blocked until the handler returns, and then ends the process. */
static void end_at_once(int number) {
  static const char words[] = "arenascope: interrupted, nothing was written\n";
  struct sigaction action = {.sa_handler = SIG_DFL};
  if (unfinished) unlink(unfinished);
  if (write(STDERR_FILENO, words, sizeof words - 1) < 0) { /* there is no one to tell */
  }
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
  raise(number);
}

static void on_signal(int number) {
  if (!cancels || came) {
    end_at_once(number);
    return;
  }
  came = 1;
  cancels(cancelled);
}

static void on_alarm(int number) {
  (void)number;
  if (cancels) cancels(cancelled);
}

static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

void signals_catch(void) {
  static const int failures[] = {SIGPIPE, SIGXFSZ};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
  sigemptyset(&action.sa_mask);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (sigaction(ends[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(ends[k], &action, NULL);
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, NULL);
  action.sa_handler = SIG_IGN; /* the write that fails says why */
  for (size_t k = 0; k < sizeof failures / sizeof *failures; k++) sigaction(failures[k], &action, NULL);
}

static void remember(void *nothing) {
  (void)nothing;
}

void signals_cancel(void (*cancel)(void *), void *what) {
  cancels = remember; /* so that none is called with what is not its own */
  cancelled = what;
  if (cancel) cancels = cancel;
  if (cancel && came) cancel(what);
}

void signals_at(double deadline) {
  double left = deadline < 0 ? 0 : deadline - now();
  if (deadline >= 0 && left < 1e-6) left = 1e-6; /* 0 were never */
  if (left > 1e8) left = 0;
  const long whole = (long)left;
  setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {whole, (long)((left - (double)whole) * 1e6)}}, NULL);
}

bool signals_came(void) {
  return came;
}

void signals_remove(const char *path) {
  unfinished = path;
}

void signals_hold(bool held) {
  static sigset_t before;
  sigset_t all;
  if (!held) {
    sigprocmask(SIG_SETMASK, &before, NULL);
    return;
  }
  sigemptyset(&all);
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) sigaddset(&all, ends[k]);
  sigprocmask(SIG_BLOCK, &all, &before);
}

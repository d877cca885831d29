/* arenascope: a process around the command. */
#include "cli.h"

int main(int argc, char **argv) {
  signals_catch();
  return command(argc, argv);
}

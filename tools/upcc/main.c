/*
 * upcc: the compiler driver for UPC. This file knows the order of things only: options, then the
 * work.
 */
#include "driver.h"

int main(int argc, char **argv) {
  read_options(argc, argv);
  return build();
}

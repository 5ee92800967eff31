/*
 * A job that ends and begins again in the same processes, several times, through the same launcher.
 */
#include "again.h"

int main(void) {
  for (int life = 0; life < 4; life++) one_life(life);
  weft_runtime_end(); /* there is none */
  kept = 17;
  weft_runtime_start("again");
  weft_runtime_stop(); /* and the last one is ended by exit */
  return 0;
}

/* launch: a UPC program that was started without a launcher starts itself again through upcrun. */
#ifndef WEFT_UPC_LAUNCH_H
#define WEFT_UPC_LAUNCH_H

/* Does the command line (GUPC's -fupc-threads-N, or -n N as the first argument) or the program
 * itself (`threads`, upcc -T) ask for several threads where no launcher is? Then this process
 * becomes upcrun. Otherwise these options are taken out of the arguments. */
void weft_upc_launch(int *argc, char ***argv, int threads);

#endif

/*
 * What every PE gives to all others when the job starts, through the launcher and before there is
 * any network. Each node reads all of them, each PE where the launcher does not know the nodes:
 * test/scale/exchange.c adds them up.
 */
#ifndef WEFT_JOB_EXCHANGE_H
#define WEFT_JOB_EXCHANGE_H

#include "job/job.h"

/* Where each PE is. */
typedef struct identity {
  uint64_t build; /* of this libweft: what lies where in shared memory. It stays the first */
  uint64_t node_hash[2];
  uint64_t machine_hash[2];      /* the same, whatever WEFT_NODE says */
  uint64_t kernel_hash;          /* of the boot alone: who has it shares the processors */
  uint64_t memory;               /* bytes this PE's machine has */
  uint64_t room;                 /* bytes of address space that a limit leaves; 0: no limit */
  uint64_t symmetric_size;       /* what SHMEM_SYMMETRIC_SIZE asks for, 0 for the default */
  uint64_t private_size;         /* likewise WEFT_PRIVATE_SIZE */
  uint64_t static_size, statics; /* bytes, and where they begin behind the constants */
  uint64_t break_used;           /* from their end to the break */
  uint64_t coll_scratch;
  uint64_t channels;
  uint64_t helpers;
  uint64_t port_hash[2]; /* of further options that all PEs must have alike */
  uint64_t base;         /* address of the static data, random where address space is */
  int32_t pid, fd;       /* a file that could become the window */
  uint64_t cpus[WEFT_CPU_WORDS];
  weft_secret_t secret; /* PE 0's is the job's */
} identity_t;

/* ---- identity.c ---- */
/* What this PE says. fd: a file that could become the node's window, or none. 0 or a negative errno
 * (logged). */
int weft_identity_introduce(identity_t *me, const weft_image_t *image, int fd, size_t inbox_size);
/* Do all say the same where they must? 0 or -EINVAL (logged). */
int weft_identity_agree(const identity_t *all);

/* ---- place.c ---- */
/* Fill in weft_job's tables of PEs, nodes, slots and processors. 0 or a negative errno (logged, but
 * for -ENOMEM). */
int weft_place_pes(const identity_t *all);

/* Between them every PE says by one byte whether it could open its node's window. With several
 * nodes: where each is reached. A PE that has no port leaves that part empty. */
typedef struct contact {
  uint8_t endpoint[WEFT_ADDRESS_MAX];
  uint8_t port[WEFT_ADDRESS_MAX];
  char provider[16]; /* what it chose begins so */
  uint32_t manner;   /* what the provider does that all hosts must do alike (manner_of) */
  uint32_t network;  /* whose addresses these are (weft_job_network) */
  uint64_t nonce;    /* drawn by this PE */
  uint64_t base;     /* remote address of slot 0 */
} contact_t;

#endif

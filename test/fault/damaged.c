/*
 * PE 0 sends one packet that makes no sense to the port of the other node, or an answer to its PE:
 * its number is the argument. Nobody may use what is in it: the job ends with a line that names the
 * sender (damaged.sh).
 */
#include <shmem.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "am/am.h"
#include "coll/coll.h"
#include "flow/flow.h"
#include "flow/flow_wire.h"

static struct {
  weft_packet_t head;
  union {
    struct {
      weft_record_t record;
      union {
        uint64_t rest[8];
        weft_wire_message_t message;
      };
    };
    weft_flow_head_t flow;
    weft_flow_note_t note;
    weft_result_t result;
    char bytes[512];
  };
} p;

/* With n bytes of data, 0 each. */
static void call(enum weft_service number, uint32_t n, uint64_t operand) {
  p.record = (weft_record_t){
      .off = p.record.off, .kind = WEFT_RECORD_CALL, .op = (uint8_t)number, .len = n};
  p.rest[0] = operand;
  p.head.bytes += 16 + n;
}

/* Of the owner's service, where 0 stands for an address that is right. */
static void owner(uintptr_t data, uintptr_t reply, uintptr_t result) {
  const uint64_t right = weft_job.window.base + weft_job.window.layout.heap;
  call(WEFT_SERVICE_OWNER, 32, 0);
  p.rest[2] = result ? result : right;
  p.rest[3] = data ? data : right;
  p.rest[4] = reply ? reply : right;
  p.rest[5] = (uint64_t)8 << 32 | 8; /* bytes of the reply, and of the data */
}

/* A message with 8 bytes to one of Weft's own handlers. */
static void message(uint8_t handler, enum weft_am_category category, uint8_t nargs,
                    const int32_t *args) {
  p.head.kind = WEFT_PACKET_RECORDS, p.head.channel = WEFT_LANE;
  p.record = (weft_record_t){.kind = WEFT_RECORD_MESSAGE, .op = handler};
  p.record.len = (uint32_t)sizeof p.message + (nargs + 1u) / 2 * 8 + 8;
  p.message = (weft_wire_message_t){.category = (uint8_t)category, .nargs = nargs, .n = 8};
  if (nargs) memcpy(&p.message + 1, args, nargs * sizeof *args);
  p.head.bytes = sizeof p.head + sizeof p.record + p.record.len;
}

/* To handlers that run when PE 1 polls. */
static void damage_message(int which) {
  enum { DATA = 8, MAIL = 9 }; /* coll/begun_net.c, sync/mail.c */
  const weft_team_t *world = weft_team_world();
  int32_t data[7] = {(int32_t)world->id, (int32_t)world->maker, 1, 0, 0, 0, 8};
  uint64_t mail[4] = {1, 8};
  switch (which) {
  case 49: data[6] = 4; break;                             /* more bytes than in all */
  case 50: data[5] = 4; break;                             /* beyond the end */
  case 51: data[4] = 1 << 20; break;                       /* a box that there is not */
  case 52: mail[1] = UINT64_MAX - 40; break;               /* a length that wraps */
  case 53: message(DATA, WEFT_AM_MEDIUM, 3, data); return; /* arguments are missing */
  case 54: mail[2] = 4; break;                             /* beyond the end */
  }
  if (which == 52 || which == 54)
    message(MAIL, WEFT_AM_MEDIUM, 8, (const int32_t *)mail);
  else
    message(DATA, WEFT_AM_MEDIUM, 7, data);
}

/* One field each is wrong, of a packet that would be right with `right`. */
static void damage(int which) {
  const uintptr_t heap = weft_job.window.layout.heap;
  p.head =
      (weft_packet_t){.kind = WEFT_PACKET_RECORDS, .bytes = sizeof p, .token = weft_job.tokens[1]};
  p.record = (weft_record_t){.off = heap, .kind = WEFT_RECORD_PUT, .len = 8};
  p.head.bytes = sizeof p.head + sizeof p.record + 8;
  switch (which) {
  case 0: p.head.buffer = 200; return;
  case 1: p.head.kind = 77; return;
  case 2: p.record.len = 4000; return; /* a put's bytes are not in the packet */
  case 3: p.record.kind = WEFT_RECORD_POST, p.record.len = 3; return;
  case 4: p.record.kind = WEFT_RECORD_POST, p.record.off += 4; return;
  case 5: p.record.kind = WEFT_RECORD_POST, p.record.op = 99; return;
  case 6: p.record.kind = 99; return;
  case 7: p.record.slot = 1000; return;
  case 8: p.record.off = (uint64_t)1 << 60; return;
  case 9:
    p.record.kind = WEFT_RECORD_COPY, p.rest[0] = 77;
    p.head.bytes += 8;
    return;
  case 10:
    p.head.channel = WEFT_LANE;
    p.record.kind = WEFT_RECORD_MESSAGE, p.record.len = 8;
    p.message = (weft_wire_message_t){.category = WEFT_AM_MEDIUM,
                                      .n = 100000}; /* bytes that are not there */
    return;
  case 19: p.head.buffer = WEFT_NO_BUFFER; return;
  case 20: p.record.op = 3; return; /* words of no known width */
  case 34: call(WEFT_SERVICE_LOCK_RESET, 0, 0), p.record.off += 4; return;
  case 36: call(WEFT_SERVICE_OWNER, 8, 0); return; /* less than a head */
  case 37: call(WEFT_SERVICE_OWNER, 32, 0), p.rest[5] = 4000; return; /* bytes that are not there */
  case 44: owner(8, 0, 0); return; /* memory that is not the caller's */
  case 42: owner(0, 8, 0); return;
  case 43: owner(0, 0, 8); return;
  case 38: call(WEFT_SERVICE_MEET, 8, 0); return;
  case 39: call(WEFT_SERVICE_MEET, 40, 0), p.rest[5] = p.rest[6] = 2; return; /* no such member */
  case 40: call(WEFT_SERVICE_MARK, 0, 0), p.rest[1] = 77; return; /* no such state */
  case 35: p.head.kind = WEFT_PACKET_HELLO, p.head.channel = 1, p.head.buffer = 50; return;
  case 45: p.head.kind = WEFT_PACKET_HELLO, p.head.bytes = sizeof p.head + 5; return;
  case 46: call(WEFT_SERVICE_LOCK, 0, 0), p.rest[2] = 8; return; /* a result to nobody's memory */
  case 47: call(WEFT_SERVICE_GLOBAL_ALLOC, 0, 64); return;       /* that is at PE 0 */
  case 48: message(8, WEFT_AM_SHORT, 0, NULL); return;           /* to a handler of mediums */
  case 41: p.record.kind = WEFT_RECORD_GET, p.record.len = 1 << 20; return; /* for no answer */
  default: break;
  }
  p.head.kind = WEFT_PACKET_FLOW;
  p.flow = (weft_flow_head_t){.form = WEFT_STRIDED, .base = heap, .run = 8, .bytes = 8};
  p.head.bytes = sizeof p.head + sizeof p.flow + 8;
  switch (which) {
  case 11: p.flow.action = WEFT_FLOW_GET, p.flow.run = p.flow.bytes = 1 << 30; return;
  case 12: p.flow.dims = 200; return;
  case 13: p.flow.bytes = p.flow.run = 4000; return;
  case 14: p.flow.form = WEFT_PIECES, p.flow.entries = 1 << 20; return;
  case 15: p.flow.action = WEFT_FLOW_ADD, p.flow.type = 99; return;
  case 16: p.flow.lease = 200; return;
  case 17: p.head.channel = 5, p.flow.left = 1 << 20; return; /* a channel that never greeted */
  case 18: p.head.bytes = sizeof p.head + 8; return;
  case 57: /* blocks at one place, whose bytes do not fit a number */
    p.head.bytes += 16, p.flow.dims = 1, *(uint64_t *)(&p.flow + 1) = ((uint64_t)1 << 61) + 1;
    return;
  case 58: p.flow.action = WEFT_FLOW_ADD, p.flow.type = WEFT_ACC_INT64;
  }
  static const uint64_t halves[2] = {2, 16}; /* of an element: how many, how far from each other */
  p.head.bytes += 16, p.flow.dims = 1, p.flow.run = 4;
  memcpy(&p.flow + 1, halves, sizeof halves);
}

/* Answers to PE 1, which asked for nothing. */
static void damage_answer(int which) {
  p.head = (weft_packet_t){
      .kind = WEFT_PACKET_REPLY, .bytes = sizeof p.head, .token = weft_job.client_tokens[1]};
  switch (which) {
  case 21: p.head.channel = 60; return;
  case 22: /* a fetched value, to where nobody wants one */
    p.head.bytes += sizeof p.result;
    p.result = (weft_result_t){.address = (uintptr_t)&p, .width = 8};
    return;
  case 23: p.head.buffer = 1; return;
  case 24: p.head.want = 5; return;
  case 25: p.head.bytes += 8; return;
  case 26:
    p.head.bytes += sizeof p.result;
    p.result = (weft_result_t){.address = 8, .width = 7};
    return;
  case 27:
    p.head.bytes += sizeof p.result;
    p.result = (weft_result_t){.address = 8, .value = 1 << 20, .width = WEFT_RESULT_ANSWER};
    return;
  case 28: p.head.buffer = UINT16_MAX; return; /* of a greeting */
  case 33: /* to a question */
    p.head.kind = WEFT_PACKET_ARRIVED;
    p.head.bytes += sizeof(uint64_t);
    return;
  case 29: /* a fetched value, of a packet that is not under way */
    p.head.bytes += sizeof p.result;
    p.head.buffer = 2 << WEFT_RESULTS_OF;
    p.result = (weft_result_t){.address = (uintptr_t)&p, .width = 8};
    return;
  default: break;
  }
  p.head.kind = WEFT_PACKET_FLOW_REPLY;
  p.head.bytes += sizeof p.note;
  if (which == 30) p.note = (weft_flow_note_t){.bytes = 1 << 20};
  if (which == 31) p.note = (weft_flow_note_t){.ids = (uint64_t)1 << 60};
  if (which == 32) p.note = (weft_flow_note_t){.lease = 200};
  if (which == 55) p.note = (weft_flow_note_t){.granted = 5}; /* of four spares */
  if (which == 56) { /* data of a packet that it does not answer */
    p.note = (weft_flow_note_t){.bytes = 8};
    p.head.bytes += 8, p.head.buffer = 1 << WEFT_RESULTS_OF;
  }
}

int main(int argc, char **argv) {
  shmem_init();
  weft_teams_start();
  weft_mail_start();
  shmem_barrier_all();
  if (argc > 1 && shmem_my_pe() == 0) {
    const int which = atoi(argv[1]);
    damage(which);
    if ((which >= 21 && which <= 33) || which == 55 || which == 56) damage_answer(which);
    if (which >= 49 && which <= 54) damage_message(which);
    weft_endpoint_send(&weft_job.endpoint, 1, &p, p.head.bytes, &weft_job.endpoint.all);
  }
  if (argc > 1 && (shmem_my_pe() == 0 || atoi(argv[1]) < 49 || atoi(argv[1]) > 54))
    sleep(20);
  shmem_finalize();
  return 0;
}

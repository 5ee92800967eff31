/*
 * What travels between nodes. Both ends are the same executable on machines of one kind, so records
 * are plain structs.
 */
#ifndef WEFT_WIRE_H
#define WEFT_WIRE_H

#include <stddef.h>
#include <stdint.h>

/* HELLO makes a connection; on a channel that is not the first it says where replies go. ASK asks
 * for the answers to earlier packets that asked for none. Neither carries records. */
enum weft_packet_kind {
  WEFT_PACKET_RECORDS,
  WEFT_PACKET_HELLO,
  WEFT_PACKET_ASK,
  WEFT_PACKET_REPLY,
  WEFT_PACKET_FLOW,       /* flow_wire.h */
  WEFT_PACKET_FLOW_REPLY, /* a REPLY with a note in the place of results */
  WEFT_PACKET_DEATH, /* from a port, as the PE of its process: the PE numbered `word` has failed */
  WEFT_PACKET_QUESTION, /* which packets of the channel are here and not answered (watch.c)?
                           `buffer`: the number of the question */
  WEFT_PACKET_ARRIVED   /* what the port says to that. `buffer`: the question's. A word follows */
};

/* In that word: a bit for each buffer of the sender's; from this bit on one for each packet that is
 * in no buffer (flow_wire.h: on a lease). */
enum { WEFT_ARRIVED_ELSEWHERE = 8, WEFT_ARRIVED_BITS = 40 };

enum { WEFT_WANT_LAZY = 0x80 };
enum { WEFT_NO_BUFFER = UINT16_MAX - 1 /* the packet is in no staging buffer */ };
enum { WEFT_ANSWERED = 0xff, WEFT_RESULTS_OF = 8 };

/* An answer that rides on a packet: the sender's port answers packets of a PE whose node's port
 * gets this one. */
typedef struct weft_ride {
  uint8_t channel; /* of those packets */
  uint8_t buffers; /* a bit for each */
  uint8_t count;   /* of those that asked for an answer; 0: nothing rides */
} weft_ride_t;

typedef struct weft_packet {
  uint8_t kind;
  uint8_t channel; /* the sender's; a reply repeats it */
  uint16_t buffer; /* in the sender's staging area. In a reply: a bit for each buffer that it
                      answers, and from WEFT_RESULTS_OF on 1 + the buffer whose results it brings.
                      In HELLO: the context of the PE's endpoint, or 0 and an address follows */
  uint32_t bytes;  /* whole packet */
  uint32_t from;   /* the sending PE; in a reply the sending node */
  union {
    struct {
      uint8_t want; /* not 0: the sender waits for a reply (LAZY: but not soon). In a reply: the
                       number of such packets that it answers */
      weft_ride_t ride;
    };
    uint32_t word; /* `want` where nothing rides; of DEATH the PE that has failed */
  };
  uint64_t token;  /* the secret of `from` and the receiver; checked before any other field */
} weft_packet_t;

enum weft_record_kind {
  WEFT_RECORD_PUT,
  WEFT_RECORD_POST,
  WEFT_RECORD_FETCH,
  WEFT_RECORD_MESSAGE,
  WEFT_RECORD_CALL,
  WEFT_RECORD_QUERY,
  WEFT_RECORD_FILL,
  WEFT_RECORD_COPY,
  WEFT_RECORD_GET
};

typedef struct weft_record {
  uint64_t off;  /* slot offset of the object */
  uint16_t slot; /* on the receiving node */
  uint8_t kind;
  uint8_t op;   /* enum weft_amo */
  uint32_t len; /* bytes put, or width of the atomic */
  /* then, padded to 8 bytes:
   *   PUT      data; op: 0, or the width of the data's words, each of which is stored whole
   *   POST     operand
   *   FETCH    operand, cond, address of the result
   *   FILL     (op: the byte)
   *   COPY     PE and slot offset of the destination
   *   CALL     (op: number of the service) as FETCH, the address may be 0; then len bytes of data
   *   MESSAGE  (off: the payload's address, op: handler, len: all that follows)
   *            weft_wire_message_t, arguments, and from a multiple of 8 on a MEDIUM's payload
   *   GET      address of the destination
   *   QUERY    (off: address of the asker's weft_answer_t, op: enum weft_query, len: all that
   *            follows) the request */
} weft_record_t;

/* Head of an active message. */
typedef struct weft_wire_message {
  uint8_t category, nargs;
  uint16_t unused;
  uint32_t n; /* bytes of payload */
} weft_wire_message_t;

/* One fetched value in a reply. With the width WEFT_RESULT_ANSWER or _BYTES, `value` is a number of
 * bytes, which follow, padded to 8: of an answer (query.c), or to be stored at `address`. */
enum { WEFT_RESULT_ANSWER = 16, WEFT_RESULT_BYTES };

/* Where the answer to a QUERY record goes (query.c). */
typedef struct weft_answer {
  void *bytes;
  size_t n;
} weft_answer_t;

typedef struct weft_result {
  uint64_t address; /* in the process of the PE that asked */
  uint64_t value;
  uint64_t width;
} weft_result_t;

#endif

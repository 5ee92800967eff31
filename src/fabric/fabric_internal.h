/*
 * What the files of this folder share. Prototypes stand under the file that defines them.
 */
#ifndef WEFT_FABRIC_INTERNAL_H
#define WEFT_FABRIC_INTERNAL_H

#include "fabric/fabric.h"

/* ---- congestion.c ---- */
/* May connections have what WEFT_TCP_CONGESTION names? 0 or a negative errno (logged). */
int weft_congestion_check(void);
/* Give a TCP connection the congestion control of WEFT_TCP_CONGESTION. */
void weft_congestion_choose(int fd);

/* ---- door.c ---- */
/* May there be a door: do the calls of the library that `function` is in pass by here? */
void weft_door_begin(const void *function);
/* A connection was made, or taken; `known`: to an endpoint of the job, or of this process. False:
 * it cannot be guarded. */
bool weft_door_made(int fd, bool known);
bool weft_door_taken(int fd, bool known);
/* One is closed. */
void weft_door_forget(int fd);
/* Is a proof to be given or asked for, before anything else? */
extern unsigned char *weft_door_states;
extern int weft_door_room;
static inline bool weft_door_is_shut(int fd) {
  return fd >= 0 && fd < weft_observe(&weft_door_room) && weft_peek(&weft_door_states[fd]);
}
/* Then, in the place of the first send; and before each receive, until it says that this may
 * follow: otherwise what is to be returned is in *got. */
ssize_t weft_door_send(int fd, const void *first, size_t n, int flags);
bool weft_door_enter(int fd, ssize_t *got);

/* ---- failure.c ---- */
/* The queue has a failed operation, which ends the job unless the dead are forgiven. Under the poll
 * lock. */
void weft_endpoint_report_failure(weft_endpoint_t *e);

/* ---- kallsyms.c ---- */
/* Call begin(). While it runs, the library that `function` is in finds no /proc/kallsyms, unless
 * this machine has RDMA devices. */
void weft_fabric_without_kallsyms(const void *function, void (*begin)(void));

/* ---- links.c ---- */
/* From now on the library that `function` is in tells of the connections that it makes, takes and
 * closes; those it makes and takes get their congestion control. */
void weft_links_begin(const void *function);

/* Port and host as one number; 0 if it is no address of the internet. */
uint64_t weft_links_hash(const void *address);
/* Is the descriptor a connection of an endpoint of this process? */
bool weft_links_has(int fd);
/* Did that library tell, of late, that it listens at the address? */
bool weft_links_listens(const void *address);

/* ---- looks.c ---- */
struct epoll_event;
/* From now on the library that `function` is in looks at its connections by weft_looks_wait. */
void weft_looks_begin(const void *function);
/* May it be told of a connection that it is readable, and find that it is not? And `resume`: is it
 * to be told of those that it has stopped reading from? */
void weft_looks_allow(bool guesses, bool resume);
/* Call `what` while the provider looks at the connections of the endpoint, which this thread then
 * polls. False, and nothing was done: looks do not come here. */
bool weft_looks_during(weft_endpoint_t *e, void (*what)(void *arg), void *arg);
/* In the place of epoll_wait, of epoll_ctl, and before close. */
int weft_looks_wait(int queue, struct epoll_event *events, int most, int ms);
int weft_looks_control(int queue, int what, int fd, struct epoll_event *event);
void weft_looks_forget(int fd);
/* Around a wait of this thread for what the kernel says of the connections, of `ms` milliseconds
 * (negative: for ever). Returns how long it may be. */
int weft_looks_sleep(int ms);
void weft_looks_wake(void);

/* ---- post.c ---- */
/* In the place of fi_inject_write: counted when the target has it. */
ssize_t weft_inject_delivered(struct fid_ep *ep, const void *data, size_t len, fi_addr_t to,
                              uint64_t addr, uint64_t key);

/* ---- receive.c ---- */
/* Post nreceives * receive_size bytes of receive buffers. 0 or a negative errno. */
int weft_slabs_open(weft_endpoint_t *e, size_t nreceives, size_t receive_size);
void weft_slabs_close(weft_endpoint_t *e);
/* op.done of slabs, by which their completions are told from others; never called. */
void weft_slab_mark(weft_op_t *op, size_t len);
/* A slab's completion: messages are queued. Under the poll lock. */
void weft_slab_event(weft_slab_t *slab, const struct fi_cq_data_entry *entry);
/* A message for it will not come whole; `flags` are the failed entry's. Under the poll lock. */
void weft_slab_break(weft_slab_t *slab, uint64_t flags);
/* Post the slabs that were deferred. Under the poll lock. */
void weft_slab_repost_deferred(weft_endpoint_t *e);

/* ---- receive_window.c ---- */
/* From now on the library that `function` is in receives and sends by the two calls below. */
void weft_receive_window_begin(const void *function);
/* In the place of recv and send, and before close. */
ssize_t weft_receive_window_recv(int fd, void *to, size_t n, int flags);
ssize_t weft_receive_window_send(int fd, const void *from, size_t n, int flags);
void weft_receive_window_forget(int fd);
/* A call was to send n bytes and returned `sent`. */
void weft_receive_window_sent(int fd, size_t n, ssize_t sent);
/* Are the last messages on the connection of more than a segment? */
bool weft_receive_window_is_long(int fd);

/* ---- sends.c ---- */
struct msghdr;
/* From now on the library that `function` is in sends by the call below. */
void weft_sends_begin(const void *function);
/* Around one operation, with its data, and then NULL: the next one follows it at once. */
void weft_sends_in_front(const void *data);
/* In the place of sendmsg. */
ssize_t weft_sends_message(int fd, const struct msghdr *message, int flags);

#endif

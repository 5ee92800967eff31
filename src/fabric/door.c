/*
 * Whoever connects to an endpoint of this job proves that it knows the job's secret, before the
 * provider sees a byte of it. The connecting end puts a proof in front of the first bytes that its
 * provider sends on the connection, in one segment with them; the other end takes it off before its
 * provider receives anything, and of one that has none the provider hears that it is refused. The
 * bytes pass by here since the provider's calls of connect, accept, send and recv do
 * (links.c, receive_window.c). A proof is a number that was drawn and its keyed hash together with
 * the address that is connected to, so each connection has another. Knows no job.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "fabric/fabric_internal.h"

enum {
  MOST = 1 << 20, /* descriptors, whatever the limit */
  FIRST = 1024    /* bytes: the first ones of a provider, at the most (its greeting) */
};

typedef struct proof {
  uint64_t number, hash;
} proof_t;

/* What has to be done on a connection before the provider's bytes. */
enum { NOTHING, GIVE, ASK };

unsigned char *weft_door_states; /* of as many descriptors; those beyond are not let in */
int weft_door_room;
static weft_secret_t secret;
static bool shut;
static unsigned refused;

/* `of` tells the address of the end that is connected to: getpeername here, getsockname there. */
static uint64_t hash_of(uint64_t number, int fd, int (*of)(int, struct sockaddr *, socklen_t *)) {
  struct sockaddr_storage end = {0};
  socklen_t n = sizeof end;
  of(fd, (struct sockaddr *)&end, &n);
  const uint64_t what[3] = {WEFT_HASH_CONNECTION, number, weft_links_hash(&end)};
  return weft_hash_keyed(&secret, what, sizeof what);
}

/* False: there is no room for the descriptor, and something has to be done on it. */
static bool set(int fd, unsigned char state) {
  const bool room = fd >= 0 && fd < weft_observe(&weft_door_room);
  if (room) weft_poke(&weft_door_states[fd], state);
  return room || state == NOTHING;
}

/* ---- the end that connects ------------------------------------------------------------------- */

bool weft_door_made(int fd, bool known) {
  return set(fd, known && weft_peek(&shut) ? GIVE : NOTHING);
}

ssize_t weft_door_send(int fd, const void *first, size_t n, int flags) {
  char bytes[sizeof(proof_t) + FIRST];
  proof_t p;
  if (weft_peek(&weft_door_states[fd]) != GIVE) return send(fd, first, n, flags);
  if (n > FIRST || weft_random_draw(&p.number, sizeof p.number) < 0) {
    errno = EIO;
    return -1;
  }
  p.hash = hash_of(p.number, fd, getpeername);
  memcpy(bytes, &p, sizeof p);
  memcpy(bytes + sizeof p, first, n);
  const ssize_t sent = send(fd, bytes, sizeof p + n, flags);
  if (sent < 0) return sent;
  set(fd, NOTHING);
  /* A connection that is new takes so little at once. (If not: 0 is an error to the provider.) */
  return sent > (ssize_t)sizeof p ? sent - (ssize_t)sizeof p : 0;
}

/* ---- the other end --------------------------------------------------------------------------- */

bool weft_door_taken(int fd, bool known) {
  return set(fd, known && weft_peek(&shut) ? ASK : NOTHING);
}

static WEFT_COLD void refuse(int fd) {
  struct sockaddr_storage from = {0};
  socklen_t n = sizeof from;
  char name[WEFT_LINK_NAME] = "somebody";
  if (getpeername(fd, (struct sockaddr *)&from, &n) == 0 && n > 0) weft_links_name(&from, name);
  if (__atomic_add_fetch(&refused, 1, __ATOMIC_RELAXED) == 1)
    weft_warn("a connection from %s is not of this job: refused, as others will be", name);
}

bool weft_door_enter(int fd, ssize_t *got) {
  proof_t p;
  if (weft_peek(&weft_door_states[fd]) == GIVE) return true;
  ssize_t n = recv(fd, &p, sizeof p, MSG_PEEK | MSG_DONTWAIT);
  const bool knows = n == sizeof p && p.hash == hash_of(p.number, fd, getsockname);
  if (knows && (n = recv(fd, &p, sizeof p, MSG_DONTWAIT)) == sizeof p) {
    set(fd, NOTHING);
    return true;
  }
  if (n < 0) {
    *got = n;
    return false;
  }
  if (n > 0) refuse(fd);
  errno = ECONNREFUSED; /* (after EAGAIN, or an end, net would keep the connection) */
  *got = -1;
  return false;
}

/* ---------------------------------------------------------------------------------------------- */

void weft_door_forget(int fd) {
  set(fd, NOTHING);
}

static bool is_there;   /* all four calls pass by here */
static bool makes_ring; /* connections are made and used by io_uring: some calls may not pass by */
static int (*queue_init)(unsigned entries, void *ring, void *params);

static int queue_init_noted(unsigned entries, void *ring, void *params) {
  weft_poke(&makes_ring, true);
  return queue_init(entries, ring, params);
}

void weft_door_begin(const void *function) {
  is_there = true;
  for (const char *const *name = (const char *[]){"connect", "accept", "recv", "send", NULL}; *name;
       name++)
    is_there = is_there && weft_calls_set(function, *name, NULL);
  *(void **)&queue_init =
      weft_calls_set(function, "io_uring_queue_init_params", (void *)queue_init_noted);
}

/* A provider may be a library of its own: then neither its calls nor its listening pass by here. */
bool weft_fabric_has_door(weft_endpoint_t *e) {
  uint8_t address[WEFT_ADDRESS_MAX];
  size_t len = sizeof address;
  const bool has = is_there && !weft_peek(&makes_ring) && weft_fabric_is_over_tcp(e->fabric) &&
                   weft_endpoint_address(e, address, &len) == 0 && weft_links_listens(address);
  if (!has) weft_info("whoever connects over %s is not asked for a proof", e->fabric->name);
  return has;
}

static int make_states(void) {
  struct rlimit files;
  const bool limited = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_max < MOST;
  const int room = limited ? (int)files.rlim_max : MOST;
  if (weft_door_states) return 0;
  weft_door_states = calloc((size_t)room, 1);
  if (!weft_door_states) return -ENOMEM;
  weft_publish(&weft_door_room, room);
  return 0;
}

int weft_fabric_shut_door(const weft_secret_t *with) {
  const int rc = with ? make_states() : 0;
  if (rc == 0 && with) secret = *with;
  if (rc == 0) weft_publish(&shut, with != NULL);
  return rc;
}

unsigned weft_fabric_refused(void) {
  return __atomic_load_n(&refused, __ATOMIC_RELAXED);
}

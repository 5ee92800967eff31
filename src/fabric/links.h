/*
 * links: the TCP connections below this process's endpoints (links.c). Providers that do not run
 * over TCP have none here.
 */
#ifndef WEFT_LINKS_H
#define WEFT_LINKS_H

#include <stdbool.h>
#include <stdint.h>

enum { WEFT_ADDRESS_MAX = 64 }; /* bytes of an endpoint's address, as exchanged */

enum weft_link_state {
  WEFT_LINK_WELL,
  WEFT_LINK_LOST,  /* a connection is gone that this process had made and written on */
  WEFT_LINK_SILENT /* the other end's kernel was asked, and has not answered */
};
enum { WEFT_LINK_NAME = 64 };

typedef struct weft_link_report {
  enum weft_link_state state;
  char ours[WEFT_LINK_NAME], theirs[WEFT_LINK_NAME]; /* host:port of the two ends */
  uint8_t peer[WEFT_ADDRESS_MAX];                    /* theirs, as a struct sockaddr */
  uint32_t silent_s;                                 /* SILENT: seconds */
  bool owing;                                        /* SILENT: something was not acknowledged */
  int nlinks;                                        /* of endpoints, unused ones too */
} weft_link_report_t;

/* Compare the connections that there are with those of the last look. A lost one is reported once.
 * It counts only if this process made it, as strangers come and go, and has sent more on it than
 * the provider's greeting: of two made at the same time the provider refuses one. A few system
 * calls per descriptor of the process. */
enum weft_link_state weft_links_look(int patience_s, weft_link_report_t *report);
/* This process has stood still: until `patience_s` from now no connection is silent. */
void weft_links_begin_anew(void);
/* The last connection that any look found lost; for the line about an operation that failed. If
 * `others`, also one that this process did not make. */
bool weft_links_lost(bool others, weft_link_report_t *report);
/* Host and port of a struct sockaddr, as reports have them. */
void weft_links_name(const void *address, char text[WEFT_LINK_NAME]);
/* Is it one that only its own host reaches? */
bool weft_links_is_loopback(const void *address);
/* Called by endpoints with each address of an endpoint, this process's or another's. */
void weft_links_know(const void *address);
/* That of an endpoint of this process. */
void weft_links_know_own(const void *address);
/* Is there any connection with the host of this address? */
bool weft_links_reach(const void *address);
/* Is there one with the endpoint of this address on which this process has sent more than the
 * provider's greeting? Of connections that the other end made only its host is known. */
bool weft_links_used(const void *address);
/* Has something that was sent to the host of this address (NULL: to any) had no acknowledgement for
 * half of `patience_s`? Then a look may soon find the connection silent; a process that does not
 * answer has a kernel that does (not every question of one without room, but the next). */
bool weft_links_are_mute(const void *address, int patience_s);
/* The other end of each connection; where the other process has made it, that is not the address of
 * its endpoint. None where /proc does not list descriptors. */
void weft_links_each(void (*see)(const void *theirs, void *arg), void *arg);
/* Connections that others have made to this process. */
extern unsigned weft_links_taken __attribute__((visibility("hidden")));
/* The same host, and if `port` the same port, of two struct sockaddr. */
bool weft_links_match(const void *a, const void *b, bool port);
/* The job is over. */
void weft_links_forget(void);

#endif

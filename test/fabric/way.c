/*
 * How puts are known to have arrived (src/fabric/provider.c): by a read behind them where the
 * provider keeps that order, by their delivery where it does not, and else there is one line. The
 * providers are the one of the argument, from which promises are taken.
 */
#include <dlfcn.h>

#include "check.h"
#include "fabric/fabric.h"

enum { MOST = 3 }; /* of fi_getinfo */

static uint64_t without_order, without_flags;
static bool without_size;
static int calls;
static int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
                      const struct fi_info *hints, struct fi_info **info);

static int poor_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
                        const struct fi_info *hints, struct fi_info **info) {
  calls++;
  if (hints->tx_attr->msg_order & without_order || hints->tx_attr->op_flags & without_flags)
    return -FI_ENODATA;
  const int rc = getinfo(version, node, service, flags, hints, info);
  for (struct fi_info *i = rc == 0 ? *info : NULL; i && without_size; i = i->next)
    i->ep_attr->max_order_raw_size = 0;
  return rc;
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name) {
  void *const found = __real_dlsym(library, name);
  if (strcmp(name, "fi_getinfo") != 0) return found;
  *(void **)&getinfo = found;
  return (void *)poor_getinfo;
}

/* The library that it would look into is this program. */
void *__wrap_weft_calls_set(const void *function, const char *name, void *by);
void *__wrap_weft_calls_set(const void *function, const char *name, void *by) {
  (void)function, (void)name, (void)by;
  return NULL;
}

/* The way that is found, or a negative errno. */
static int way(const char *provider, const char *wanted) {
  weft_fabric_t f;
  calls = 0;
  const int rc = weft_fabric_find(&f, provider, NULL, wanted);
  if (rc < 0) return rc;
  const uint64_t order = f.info->tx_attr->msg_order & f.info->rx_attr->msg_order;
  const int completion = f.completion;
  if (completion == WEFT_COMPLETION_FLUSH) CHECK(order & FI_ORDER_RAW);
  if (completion == WEFT_COMPLETION_DELIVERY) CHECK(!f.notes);
  weft_fabric_close(&f);
  return completion;
}

/* The same with the lines that it says. */
static int say(const char *provider, const char *wanted, const char *says) {
  char text[512] = "";
  int ends[2];
  const int before = dup(2);
  CHECK_EQ(pipe(ends), 0);
  dup2(ends[1], 2);
  const int rc = way(provider, wanted);
  dup2(before, 2);
  close(ends[1]);
  CHECK(read(ends[0], text, sizeof text - 1) >= 0);
  close(ends[0]), close(before);
  if (!strstr(text, says) || strchr(text, '\n') != strrchr(text, '\n')) {
    fprintf(stderr, "%s\n", text);
    CHECK(strstr(text, says) && !"one line that says so");
  }
  return rc;
}

int main(int argc, char **argv) {
  CHECK_EQ(argc, 2);
  const char *provider = argv[1];
  CHECK_EQ(weft_options_read(), 0);
  CHECK_EQ(way(provider, "auto"), WEFT_COMPLETION_FLUSH);
  CHECK(calls <= MOST); /* the best is asked for first */
  CHECK_EQ(way("sockets", "auto"), WEFT_COMPLETION_COUNTER);
  CHECK_EQ(way(provider, "counter"), WEFT_COMPLETION_COUNTER);
  CHECK_EQ(way(provider, "delivery"), WEFT_COMPLETION_DELIVERY);
  CHECK_EQ(say("pigeon", "auto", "has no provider \"pigeon\""), -ENODEV);
  CHECK(calls <= MOST); /* and what is not here only once */
  without_size = true;
  CHECK_EQ(way(provider, "auto"), WEFT_COMPLETION_DELIVERY);
  without_size = false;
  without_order = FI_ORDER_RAW;
  CHECK_EQ(way(provider, "auto"), WEFT_COMPLETION_DELIVERY);
  CHECK_EQ(say(provider, "flush", "keeps no read behind a write (FI_ORDER_RAW);"), -ENOTSUP);
  without_flags = FI_DELIVERY_COMPLETE;
  CHECK_EQ(way("sockets", "auto"), WEFT_COMPLETION_COUNTER);
  CHECK_EQ(say(provider, "auto", "(FI_ORDER_RAW) and reports no delivery"), -ENOTSUP);
  without_order = 0;
  CHECK_EQ(way(provider, "auto"), WEFT_COMPLETION_FLUSH);
  CHECK_EQ(say(provider, "delivery", "it reports no delivery (FI_DELIVERY"), -ENOTSUP);
  return 0;
}

/*
 * Loading libfabric and choosing a provider. The library is opened at run time: a job of one node
 * never pays for it, and a machine without it can still run such jobs.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fabric/fabric_internal.h"

static struct {
  void *library;
  int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
                 const struct fi_info *hints, struct fi_info **info);
  void (*freeinfo)(struct fi_info *info);
  struct fi_info *(*dupinfo)(const struct fi_info *info);
  int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
  const char *(*strerror)(int rc);
  uint32_t (*version)(void);
} fi;

/* libfabric starts all its providers at the first call. */
static void begin(void) {
  struct fi_info *info = NULL, *hints = fi.dupinfo(NULL);
  if (!hints) return;
  hints->fabric_attr->prov_name = strdup("none");
  if (fi.getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info) == 0) fi.freeinfo(info);
  fi.freeinfo(hints);
}

/* There are devices for PSM, or an MPI that would look for them. */
static bool wants_psm(void) {
  static const char *const devices[] = {"/dev/ipath*", "/dev/hfi1*"};
  bool wants = dlsym(RTLD_DEFAULT, "MPI_Init") != NULL;
  for (size_t i = 0; !wants && i < WEFT_ARRAY_LEN(devices); i++) {
    glob_t found;
    wants = glob(devices[i], 0, NULL, &found) == 0;
    globfree(&found);
  }
  return wants;
}

/* The folder with what no_psm/ makes, opened; -1 if it is not there. It lies below the folder of
 * libweft, or beside that of the program that libweft is in, installed or where it was built.
 * Others may be able to write there, so it has to belong to root or to the owner of that file, and
 * to be closed to them. */
static int open_no_psm_folder(void) {
  static const char *const places[] = {"weft", "../" WEFT_LIBRARY_FOLDER "/weft", "../lib/weft"};
  struct stat own, folder;
  Dl_info here;
  if (!dladdr((void *)(uintptr_t)&weft_fabric_error, &here) || !here.dli_fname) return -1;
  const char *slash = strrchr(here.dli_fname, '/');
  if (!slash || stat(here.dli_fname, &own) != 0) return -1;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(places); i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s/%s", (int)(slash - here.dli_fname), here.dli_fname,
             places[i]);
    const int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) continue;
    if (fstat(fd, &folder) == 0 && !(folder.st_mode & S_IWOTH) &&
        (folder.st_uid == 0 || folder.st_uid == own.st_uid))
      return fd;
    close(fd);
  }
  return -1;
}

/* Out of the way of the program's own descriptors. */
static int move_up(int fd) {
  enum { HIGH = 100 };
  const int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
  if (high < 0) return fd;
  close(fd);
  return high;
}

/* Without PSM's libraries where nobody wants them: they take 0.2 s to load. libfabric takes those
 * of no_psm/ for the ones that it needs, as they have their names. Their folder stays open: who
 * prints a backtrace looks for all libraries where they were opened. */
static void *open_libfabric(void) {
  static const char *const files[] = {"libpsm_infinipath.so.1", "libpsm2.so.2"};
  void *no_psm[WEFT_ARRAY_LEN(files)] = {NULL};
  bool loaded = false;
  int folder = wants_psm() ? -1 : open_no_psm_folder();
  if (folder >= 0) folder = move_up(folder);
  for (size_t i = 0; folder >= 0 && i < WEFT_ARRAY_LEN(files); i++) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", folder, files[i]);
    no_psm[i] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    loaded |= no_psm[i] != NULL;
  }
  void *library = dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < WEFT_ARRAY_LEN(no_psm); i++)
    if (no_psm[i]) dlclose(no_psm[i]); /* from here on it is libfabric's, or nobody's */
  if (folder >= 0 && !(library && loaded)) close(folder);
  if (library) return library;
  /* It may be one that calls more of PSM than they have. */
  return dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
}

static int load(void) {
  if (fi.library) return 0;
  /* Some provider libraries install signal handlers when they are loaded (libinfinipath: SIGSEGV).
   */
  setenv("IPATH_NO_BACKTRACE", "1", 0);
  void *library = open_libfabric();
  if (!library) {
    weft_warn("this job has more than one node and needs libfabric: %s; install it (Debian: "
              "libfabric1) on every node",
              dlerror());
    return -ENOSYS;
  }
  *(void **)&fi.getinfo = dlsym(library, "fi_getinfo");
  *(void **)&fi.freeinfo = dlsym(library, "fi_freeinfo");
  *(void **)&fi.dupinfo = dlsym(library, "fi_dupinfo");
  *(void **)&fi.fabric = dlsym(library, "fi_fabric");
  *(void **)&fi.strerror = dlsym(library, "fi_strerror");
  *(void **)&fi.version = dlsym(library, "fi_version");
  if (!fi.getinfo || !fi.freeinfo || !fi.dupinfo || !fi.fabric || !fi.strerror || !fi.version) {
    weft_warn("libfabric.so.1 lacks functions that Weft needs: install libfabric 1.17 or later");
    dlclose(library);
    return -ENOSYS;
  }
  fi.library = library;
  weft_links_begin((void *)fi.getinfo);
  weft_looks_begin((void *)fi.getinfo);
  weft_receive_window_begin((void *)fi.getinfo);
  weft_sends_begin((void *)fi.getinfo);
  weft_door_begin((void *)fi.getinfo);
  weft_fabric_without_kallsyms((void *)fi.getinfo, begin);
  return 0;
}

const char *weft_fabric_error(int rc) {
  return fi.strerror ? fi.strerror(rc < 0 ? -rc : rc) : "libfabric is not loaded";
}

/* Which ways are right for a provider (a bit each). COUNTER for those that acknowledge an injected
 * write when the target has it. The litmus test (test/fabric/litmus) checks all. */
static unsigned ways_of(const char *provider, const char *wanted) {
  if (strcmp(wanted, "counter") == 0) return 1u << WEFT_COMPLETION_COUNTER;
  if (strcmp(wanted, "delivery") == 0) return 1u << WEFT_COMPLETION_DELIVERY;
  if (strcmp(wanted, "flush") == 0) return 1u << WEFT_COMPLETION_FLUSH;
  return strcasecmp(provider, "sockets") == 0
             ? 1u << WEFT_COMPLETION_COUNTER
             : 1u << WEFT_COMPLETION_FLUSH | 1u << WEFT_COMPLETION_DELIVERY;
}

static bool is_native_tcp(const char *provider) {
  return strcasecmp(provider, "net") == 0 || strcasecmp(provider, "tcp") == 0;
}

bool weft_fabric_is_stream(const char *provider) {
  return strcasecmp(provider, "auto") == 0 || is_native_tcp(provider);
}

/* Before libfabric 1.18.1 (which calls itself 1.18) a posted buffer makes them go on with one
 * connection that found none, also where it has room for messages of others. */
static bool forgets_stopped(const char *provider) {
  return is_native_tcp(provider) && FI_VERSION_LT(fi.version(), FI_VERSION(1, 19));
}

/* net, and tcp of libfabric 1.18.0 and 1.18.1, look for a region under one lock and change their
 * set of regions under none: a write found no region, and its connection was closed, or what was
 * looked at was freed. rxm over net, and over tcp of 1.18.0, has the same where a region is closed,
 * and in a look would wait for ever; so would tcp itself from 1.18.2 on. (1.17's tcp is another
 * provider. A provider's version is 100 times libfabric's, and ten times its revision.) */
static weft_regions_t regions_of(const struct fi_info *info) {
  const char *provider = info->fabric_attr->prov_name;
  const uint32_t version = info->fabric_attr->prov_version;
  const bool is_rxm = strcasecmp(provider, "net;ofi_rxm") == 0 ||
                      (strcasecmp(provider, "tcp;ofi_rxm") == 0 &&
                       FI_VERSION_GE(version, FI_VERSION(118, 0)));
  if (is_native_tcp(provider) && FI_VERSION_LT(version, FI_VERSION(118, 20)))
    return WEFT_REGIONS_DURING_LOOKS;
  if (is_rxm && FI_VERSION_LT(version, FI_VERSION(118, 10))) return WEFT_REGIONS_BEFORE_ALL;
  return WEFT_REGIONS_ANY_TIME;
}

/* net (later called tcp, and until 1.20) and, over it, rxm hand out a buffer's parts when messages
 * begin and release it with the last one, which need not be the last to end: test/fabric/flood.c
 * shows it. */
static bool is_early(const char *provider) {
  return strstr(provider, "ofi_rxm") ||
         (is_native_tcp(provider) && FI_VERSION_LT(fi.version(), FI_VERSION(1, 20)));
}

/* What a provider is asked for: it only keeps the order that was asked for. */
typedef struct wish {
  uint64_t caps, order, op_flags;
  int mr_mode;
} wish_t;

/* fi_getinfo for RDM endpoints with messages, RMA, and what is wished. A list, or NULL. */
static struct fi_info *get_list(const char *provider, const char *address, wish_t wish) {
  struct fi_info *hints = fi.dupinfo(NULL), *list = NULL;
  if (!hints) return NULL;
  hints->caps = FI_MSG | FI_RMA | FI_READ | FI_WRITE | FI_REMOTE_READ | FI_REMOTE_WRITE | FI_SEND |
                FI_RECV | wish.caps;
  hints->mode = 0;
  hints->ep_attr->type = FI_EP_RDM;
  hints->domain_attr->mr_mode = wish.mr_mode;
  hints->domain_attr->threading = FI_THREAD_SAFE;
  hints->domain_attr->av_type = FI_AV_TABLE;
  hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
  hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
  hints->tx_attr->msg_order = wish.order;
  hints->rx_attr->msg_order = wish.order;
  hints->tx_attr->op_flags = wish.op_flags;
  hints->fabric_attr->prov_name = strdup(provider);
  int rc = fi.getinfo(FI_VERSION(1, 17), address, NULL, address ? FI_SOURCE : 0, hints, &list);
  if (rc < 0) {
    hints->domain_attr->data_progress = FI_PROGRESS_UNSPEC;
    rc = fi.getinfo(FI_VERSION(1, 17), address, NULL, address ? FI_SOURCE : 0, hints, &list);
  }
  fi.freeinfo(hints);
  return rc < 0 ? NULL : list;
}

/* Messages in order are a must; writes before writes and before messages spare fence a wait. A
 * provider is not there if it cannot. */
static const uint64_t must_order = FI_ORDER_SAS;
static const uint64_t nice_order = FI_ORDER_SAS | FI_ORDER_WAW | FI_ORDER_SAW;

/* libfabric 1's FI_MR_BASIC, which libfabric 2's header warns of, stands for three modes, also
 * where they are not needed. */
enum { BASIC = 1 << 0, BASIC_REGIONS = FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY };

/* First with memory regions as simple as can be (own keys, offsets), then with the modes that real
 * network cards ask for. */
static struct fi_info *find_with(const char *provider, const char *address, wish_t wish) {
  const int modes[] = {weft_options.basic_regions ? BASIC : 0,
                       BASIC_REGIONS | FI_MR_ENDPOINT};
  const uint64_t orders[] = {nice_order, must_order}, extra = wish.order;
  struct fi_info *list = NULL;
  for (int i = 0; i < 4 && !list; i++) {
    wish.mr_mode = modes[i / 2];
    wish.order = orders[i % 2] | extra;
    list = get_list(provider, address, wish);
  }
  return list;
}

static struct fi_info *find(const char *provider, const char *address, weft_completion_t way) {
  wish_t wish = {.order = way == WEFT_COMPLETION_FLUSH ? FI_ORDER_RAW : 0,
                 .op_flags = way == WEFT_COMPLETION_DELIVERY ? FI_DELIVERY_COMPLETE : 0};
  struct fi_info *list = NULL;
  if (weft_options.multi_recv) {
    wish.caps = FI_MULTI_RECV;
    list = find_with(provider, address, wish);
    wish.caps = 0;
  }
  return list ? list : find_with(provider, address, wish);
}

static bool has_order(const struct fi_info *info, uint64_t order) {
  return (info->tx_attr->msg_order & order) == order && (info->rx_attr->msg_order & order) == order;
}

static bool is_address(const char *text) {
  struct in_addr four;
  struct in6_addr six;
  return inet_pton(AF_INET, text, &four) == 1 || inet_pton(AF_INET6, text, &six) == 1;
}

/* An address can be used if a socket can be bound to it; anything else must be the name of an
 * interface. */
static bool is_here(const char *text, bool address) {
  struct sockaddr_in four = {.sin_family = AF_INET};
  struct sockaddr_in6 six = {.sin6_family = AF_INET6};
  if (!address) return if_nametoindex(text) != 0;
  bool is_four = inet_pton(AF_INET, text, &four.sin_addr) == 1;
  inet_pton(AF_INET6, text, &six.sin6_addr);
  int fd = socket(is_four ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int rc = fd < 0    ? -1
           : is_four ? bind(fd, (struct sockaddr *)&four, sizeof four)
                     : bind(fd, (struct sockaddr *)&six, sizeof six);
  if (fd >= 0) close(fd);
  return rc == 0;
}

/* rxm sends what is longer than this as a request, which the receiver answers by a read. */
void weft_fabric_expect(size_t bytes) {
  char text[32];
  snprintf(text, sizeof text, "%zu", bytes);
  if (bytes > 16384) setenv("FI_OFI_RXM_EAGER_LIMIT", text, 0);
}

/* Does it do what it was found for? A read may stay behind a write as a message, and yet see memory
 * before the data are there: the size says up to which both are in order. */
static bool keeps(const struct fi_info *info, weft_completion_t way) {
  return way != WEFT_COMPLETION_FLUSH ||
         (has_order(info, FI_ORDER_RAW) &&
          info->ep_attr->max_order_raw_size >= info->ep_attr->max_msg_size);
}

/* The provider of exactly this name: "net" also returns "net;ofi_rxm". NULL: it is not here. */
static struct fi_info *find_exactly(const char *provider, const char *address,
                                    weft_completion_t way) {
  struct fi_info *list = find(provider, address, way), *found = list;
  while (found &&
         (strcasecmp(found->fabric_attr->prov_name, provider) != 0 || !keeps(found, way)))
    found = found->next;
  if (found) found = fi.dupinfo(found);
  if (list) fi.freeinfo(list);
  return found;
}

/* One that is not here is asked for once. */
static bool is_there(const char *provider, const char *address) {
  struct fi_info *list = get_list(
      provider, address,
      (wish_t){.order = must_order, .mr_mode = BASIC_REGIONS | FI_MR_ENDPOINT});
  if (list) fi.freeinfo(list);
  return list != NULL;
}

typedef struct choice {
  struct fi_info *info;
  weft_completion_t completion;
  const char *mute; /* a provider that is here, but does not tell when a put has arrived; or NULL */
} choice_t;

static void choose(choice_t *choice, const char *provider, const char *address,
                   const char *completion) {
  static const weft_completion_t best[] = {WEFT_COMPLETION_COUNTER, WEFT_COMPLETION_FLUSH,
                                           WEFT_COMPLETION_DELIVERY};
  if (!is_there(provider, address)) return;
  for (size_t i = 0; i < WEFT_ARRAY_LEN(best) && !choice->info; i++)
    if (ways_of(provider, completion) >> best[i] & 1) {
      choice->info = find_exactly(provider, address, best[i]);
      choice->completion = best[i];
    }
  if (!choice->info && !choice->mute) {
    struct fi_info *any = find_exactly(provider, address, WEFT_COMPLETION_COUNTER);
    if (any) choice->mute = provider;
    if (any) fi.freeinfo(any);
  }
}

/* "auto": reliable datagrams straight over TCP, which libfabric has had since 1.18 as "tcp" and in
 * 1.17 as "net", spare a message more than 1 us against rxm over connections. */
static choice_t choose_named(const char *provider, const char *address, const char *completion) {
  static const char *const native[] = {"tcp", "net", "tcp;ofi_rxm"};
  choice_t choice = {.info = NULL};
  const bool any = strcasecmp(provider, "auto") == 0;
  if (!any)
    choose(&choice, strcasecmp(provider, "rxm") == 0 ? native[2] : provider, address, completion);
  for (size_t i = 0; any && i < WEFT_ARRAY_LEN(native) && !choice.info; i++)
    choose(&choice, native[i], address, completion);
  return choice;
}

/* Tell libfabric of WEFT_IFACE, which must be here. *address: an address; else it stays, and an
 * interface was named, or nothing. */
static int use_iface(const char *iface, const char **address) {
  if (!iface || !*iface) return 0;
  if (is_address(iface)) *address = iface;
  if (!is_here(iface, *address)) {
    weft_warn("WEFT_IFACE: %s is neither an address nor a network interface of this machine; "
              "`ip addr` lists them",
              iface);
    return -ENODEV;
  }
  if (*address) return 0;
  setenv("FI_TCP_IFACE", iface, 1);
  setenv("FI_NET_IFACE", iface, 1);
  setenv("FI_SOCKETS_IFACE", iface, 1);
  return 0;
}

/* Say why no provider was chosen. */
static int no_choice(const char *mute, const char *provider, const char *iface,
                     const char *completion) {
  const bool is_flush = strcmp(completion, "flush") == 0;
  const bool is_delivery = strcmp(completion, "delivery") == 0;
  if (mute) {
    weft_warn("libfabric's provider %s does not tell when a put has arrived: it%s%s%s; "
              "WEFT_PROVIDER chooses another one",
              mute, is_delivery ? "" : " keeps no read behind a write (FI_ORDER_RAW)",
              is_flush || is_delivery ? "" : " and",
              is_flush ? "" : " reports no delivery (FI_DELIVERY_COMPLETE)");
    return -ENOTSUP;
  }
  weft_warn("libfabric has no provider \"%s\" with reliable datagrams and RMA%s%s here; "
            "`fi_info` lists them, WEFT_PROVIDER chooses one",
            provider, iface && *iface ? " on " : "", iface ? iface : "");
  return -ENODEV;
}

/* What the provider does, and what it does not: all but `fabric`. */
static weft_fabric_t describe(struct fi_info *info, weft_completion_t completion) {
  const char *name = info->fabric_attr->prov_name;
  const int asked = info->domain_attr->mr_mode, modes = asked & BASIC ? BASIC_REGIONS : asked;
  const size_t key_size = info->domain_attr->mr_key_size;
  const size_t contexts =
      weft_smaller(info->domain_attr->max_ep_tx_ctx, info->domain_attr->max_ep_rx_ctx);
  const bool ordered_writes = has_order(info, nice_order);
  return (weft_fabric_t){
      .info = info,
      .name = name,
      .completion = completion,
      .virtual_addresses = modes & FI_MR_VIRT_ADDR,
      .provider_keys = modes & FI_MR_PROV_KEY,
      .pins = modes & FI_MR_ALLOCATED,
      .key_mask = key_size >= 8 ? UINT64_MAX : ((uint64_t)1 << 8 * key_size) - 1,
      .regions = regions_of(info),
      .ordered_writes = ordered_writes,
      .notes = ordered_writes && completion != WEFT_COMPLETION_DELIVERY &&
               info->domain_attr->cq_data_size >= sizeof(uint64_t),
      .joins = info->tx_attr->iov_limit >= 2,
      .reads_by_message = is_native_tcp(name),
      .large_in_order = is_native_tcp(name),
      .multi_receive = weft_options.multi_recv && (info->caps & FI_MULTI_RECV),
      .room_first = FI_VERSION_GE(fi.version(), FI_VERSION(2, 0)),
      .early_release = is_early(name),
      /* Of libfabric 1.17: its trywait does not reset what completions set. */
      .sleeps_itself = strcasecmp(name, "net") == 0,
      .rma_max = info->ep_attr->max_msg_size,
      .contexts = (int)weft_smaller(contexts, 1 << WEFT_CONTEXT_BITS)};
}

static void say_choice(const weft_fabric_t *fabric) {
  static const char *const ways[] = {"counter", "delivery", "flush"};
  weft_info("provider %s, %s completion, %s writes, %s addresses, inject up to %zu bytes, %d "
            "contexts per endpoint, %s message per receive buffer",
            fabric->name, ways[fabric->completion],
            fabric->ordered_writes ? "ordered" : "unordered",
            fabric->virtual_addresses ? "virtual" : "offset", fabric->info->tx_attr->inject_size,
            fabric->contexts, fabric->multi_receive ? "more than one" : "one");
}

int weft_fabric_find(weft_fabric_t *fabric, const char *provider, const char *iface,
                     const char *completion) {
  const char *address = NULL;
  *fabric = (weft_fabric_t){0};
  int rc = use_iface(iface, &address);
  if (rc == 0) rc = weft_congestion_check();
  if (rc < 0) return rc;
  /* rxm touches so many buffers of 16 KB at every fi_enable: with its preset 32 MB and 30 ms. */
  setenv("FI_OFI_RXM_MSG_RX_SIZE", "128", 0);
  rc = load();
  if (rc < 0) return rc;
  const choice_t choice = choose_named(provider, address, completion);
  if (!choice.info) return no_choice(choice.mute, provider, iface, completion);
  *fabric = describe(choice.info, choice.completion);
  /* Each posted operation reports; injected ones never do. (Each write asks for its delivery in
   * post.c; messages do not want it.) */
  fabric->info->tx_attr->op_flags = FI_COMPLETION;
  weft_looks_allow(weft_options.guess_ready && is_native_tcp(fabric->name),
                   forgets_stopped(fabric->name));
  say_choice(fabric);
  return 0;
}

int weft_fabric_open(weft_fabric_t *fabric) {
  const int rc = fi.fabric(fabric->info->fabric_attr, &fabric->fabric, NULL);
  if (rc == 0) return 0;
  weft_warn("cannot open the libfabric provider %s: %s; WEFT_PROVIDER chooses another",
            fabric->name, weft_fabric_error(rc));
  fi.freeinfo(fabric->info);
  *fabric = (weft_fabric_t){0};
  return rc;
}

void weft_fabric_close(weft_fabric_t *fabric) {
  if (!fabric->info) return;
  if (fabric->fabric) fi_close(&fabric->fabric->fid);
  fi.freeinfo(fabric->info);
  *fabric = (weft_fabric_t){0};
}

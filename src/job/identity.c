/*
 * What a PE says of itself when the job starts, and whether all fit together. Knows no nodes.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "job/exchange.h"

/* FNV-1a, two lanes; and of nothing. */
static const uint64_t EMPTY = 0xcbf29ce484222325u;
static void hash_text(uint64_t hash[2], const char *text) {
  for (; *text; text++)
    for (int lane = 0; lane < 2; lane++)
      hash[lane] = (hash[lane] ^ (unsigned char)*text) * (0x100000001b3u + 2 * (unsigned)lane);
}

/* This boot of this kernel. False: /proc does not say. */
static bool read_boot(char *text, int room) {
  FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
  const bool known = f && fgets(text, room, f);
  if (f) fclose(f);
  return known;
}

uint32_t weft_job_network(void) {
  char boot[256], space[256];
  uint64_t hash[2] = {EMPTY, EMPTY};
  const ssize_t n = readlink("/proc/self/ns/net", space, sizeof space - 1);
  if (n <= 0 || !read_boot(boot, sizeof boot)) return 0;
  space[n] = 0;
  hash_text(hash, boot);
  hash_text(hash, space);
  return (uint32_t)(hash[0] >> 32 ^ hash[0]) | 1;
}

/* The machine: this boot, the PID namespace, through which the window's file is reached, and the
 * host name. The same for PEs that can share memory. The node is that, or what WEFT_NODE says.
 * Where the boot is not known the machine stands for the kernel. */
static void identify(identity_t *me) {
  char text[256];
  me->machine_hash[0] = me->machine_hash[1] = EMPTY;
  memcpy(me->node_hash, me->machine_hash, sizeof me->node_hash);
  const bool boot_known = read_boot(text, sizeof text);
  if (boot_known) hash_text(me->machine_hash, text);
  const uint64_t boot_hash = me->machine_hash[0];
  ssize_t n = readlink("/proc/self/ns/pid", text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  hash_text(me->machine_hash, text);
  if (gethostname(text, sizeof text - 1) == 0) hash_text(me->machine_hash, text);
  me->kernel_hash = boot_known ? boot_hash : me->machine_hash[0];
  if (weft_options.node && *weft_options.node)
    hash_text(me->node_hash, weft_options.node);
  else
    memcpy(me->node_hash, me->machine_hash, sizeof me->node_hash);
}

/* Both ends of a connection must have the same idea of its buffers. (No value has a comma.) */
static void hash_port_options(uint64_t hash[2]) {
  char limit[32];
  snprintf(limit, sizeof limit, "%zu", weft_options.port_memory);
  const char *const texts[] = {limit, weft_options.port_buffers, weft_options.port_spares,
                               weft_options.on_death};
  for (size_t i = 0; i < WEFT_ARRAY_LEN(texts); i++) {
    hash_text(hash, texts[i]);
    hash_text(hash, ",");
  }
}

/* Of the version, and of sizes of what PEs share: not every build that differs is told. */
static uint64_t build_of(size_t inbox_size) {
  char text[256];
  uint64_t hash[2] = {EMPTY, EMPTY};
  snprintf(text, sizeof text, "%s %zu %zu %zu %zu %zu %zu", WEFT_VERSION, sizeof(identity_t),
           sizeof(contact_t), sizeof(weft_shared_t), offsetof(weft_shared_t, port_left),
           sizeof(weft_job_areas_t), inbox_size);
  hash_text(hash, text);
  return hash[0];
}

int weft_identity_introduce(identity_t *me, const weft_image_t *image, int fd, size_t inbox_size) {
  *me = (identity_t){.build = build_of(inbox_size),
                     .memory = weft_memory_total(),
                     .room = weft_memory_mappable(),
                     .symmetric_size = weft_options.symmetric_size,
                     .private_size = weft_options.private_size,
                     .static_size = image->end - image->begin,
                     .statics = image->begin - image->lowest,
                     .break_used = weft_image_break(image),
                     .coll_scratch = weft_options.coll_scratch,
                     .channels = 1 + (uint64_t)weft_options.ctx_endpoints,
                     .helpers = (uint64_t)weft_options.helpers,
                     .base = image->lowest,
                     .pid = getpid(),
                     .fd = fd};
  int rc = 0;
  if (!me->memory) {
    weft_warn("the system does not say how much memory this machine has");
    return -ENOSYS;
  }
  if (weft_job.pe == 0 && (rc = weft_random_draw(&me->secret, sizeof me->secret)) < 0) {
    weft_warn("the system gives no random numbers: %s", strerror(-rc));
    return rc;
  }
  identify(me);
  hash_port_options(me->port_hash);
  weft_cpu_mask(me->cpus);
  return 0;
}

int weft_identity_agree(const identity_t *all) {
  for (int pe = 1; pe < weft_job.npes; pe++) {
    if (all[pe].build != all[0].build) {
      weft_warn("PE %d has loaded another libweft than PE 0: all must have the same one", pe);
      return -EINVAL;
    }
    if (all[pe].static_size != all[0].static_size || all[pe].statics != all[0].statics) {
      weft_warn("PE %d has %llu bytes of static data behind %llu of code and constants, PE 0 %llu "
                "behind %llu: all PEs must run the same executable",
                pe, (unsigned long long)all[pe].static_size, (unsigned long long)all[pe].statics,
                (unsigned long long)all[0].static_size, (unsigned long long)all[0].statics);
      return -EINVAL;
    }
    if (all[pe].symmetric_size != all[0].symmetric_size ||
        all[pe].private_size != all[0].private_size ||
        all[pe].coll_scratch != all[0].coll_scratch || all[pe].channels != all[0].channels ||
        all[pe].helpers != all[0].helpers ||
        memcmp(all[pe].port_hash, all[0].port_hash, sizeof all[pe].port_hash) != 0) {
      weft_warn(
          "SHMEM_SYMMETRIC_SIZE, WEFT_PRIVATE_SIZE, WEFT_DEBUG=coll_scratch, WEFT_CTX_ENDPOINTS, "
          "WEFT_HELPERS, WEFT_PORT_MEMORY, WEFT_ON_DEATH, WEFT_DEBUG=port_buffers or "
          "WEFT_DEBUG=port_spares on PE %d differs from PE 0's: they must be the same on all",
          pe);
      return -EINVAL;
    }
  }
  return 0;
}

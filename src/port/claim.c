/*
 * Packets of flows in a PE's staging buffers. Who packs them may be the thread that serves the
 * port, as an answer has come, or hold a lock that this thread wants: nothing here waits for the
 * provider's room, or with a PE that does. (The greeting of a node may, before anybody else could
 * want these locks.)
 */
#include "port/port_internal.h"

/* What is staged leaves. Of a flow's packet that found no room nobody knows any more whether its
 * answer is waited for. */
static bool push(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (weft_likely(!stage->fill)) return true;
  const unsigned how = WEFT_SEND_TRY | (stage->room ? 0 : WEFT_SEND_ASK);
  return weft_stage_send(c->head, stage, node, c->endpoint, how);
}

bool weft_stage_push(weft_channel_t *c, int node) {
  weft_stage_t *stage = &c->stages[node];
  if (!weft_stage_lock_for_answer(stage)) return false;
  const bool empty = push(c, node);
  weft_unlock(&stage->lock);
  return empty;
}

char *weft_stage_claim(weft_channel_t *c, int node, uint32_t *buffer, bool *late) {
  weft_stage_t *stage = &c->stages[node];
  *late = true;
  if (!weft_stage_lock_for_answer(stage)) return NULL;
  if (weft_unlikely(!stage->data)) weft_stage_meet(c, node);
  if (push(c, node)) {
    *buffer = stage->next;
    *late = false;
    if (!weft_stage_next_is_busy(stage)) {
      weft_stage_use(c, node);
      return weft_stage_buffer(stage, stage->next);
    }
    *late = !weft_stage_try_ask(c, node);
  }
  weft_unlock(&stage->lock);
  return NULL;
}

bool weft_stage_commit(weft_channel_t *c, int node, size_t bytes, unsigned how, weft_op_t *op) {
  weft_stage_t *stage = &c->stages[node];
  if (op) weft_stage_hold(c, node, op);
  weft_poke(&stage->fill, (uint32_t)bytes);
  stage->room = 0;
  const bool sent = weft_stage_send(c->head, stage, node, c->endpoint, how | WEFT_SEND_TRY);
  weft_unlock(&stage->lock);
  return sent;
}

import test from 'ava'
import { createDispatcher } from '#services/webhook-dispatcher/dispatcher.ts'
import type { Database } from '#shared/data/database.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { slowAfterMs } from '#shared/domain/webhook/deliveries/queue.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../support/assertions/until.ts'
import { itemChange, makeList, makeWebhook, testId } from '../../support/databases/contents/rows.ts'
import { testDatabase } from '../../support/databases/database.ts'

// A separate file, because it replaces `setTimeout`: the dispatcher's long sleep, after which it looks for work anyway, never ends here.
const setRealTimeout = globalThis.setTimeout
globalThis.setTimeout = ((call: () => void, ms?: number) =>
  setRealTimeout(call, ms !== undefined && ms > slowAfterMs + 500 ? 2 ** 31 - 1 : ms)) as typeof setTimeout

const ok: AttemptOutcome = { status: 200, body: '', durationMs: 1, error: null }

/** The same database; its transactions end only when `end` has resolved. */
function endingLate(db: Database, end: () => Promise<void>): Database {
  return {
    ...db,
    atomicBatch: null,
    async transaction(work) {
      const result = await db.transaction(work)
      await end()
      return result
    },
  }
}

test('a delivery that waits for a slot is sent when a long attempt frees one during a cycle that found none', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const eventIds: string[] = []
  const committer = createCommitter(db, { announce: (committed) => eventIds.push(...enqueuedEvents(committed)) })
  const demoted = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  const sent: string[] = []
  let lateUntil = Promise.resolve()
  const dispatcher = createDispatcher({
    db: endingLate(db, () => lateUntil),
    log: createLogger({ service: 'test', level: 'silent' }),
    holder: { owner: testId(), leaseMs: 3_600_000 },
    rules: {
      retrySeconds: [30],
      disableAfter: 20,
      maxWaiting: 10,
      maxHeld: 1_000,
      newId: testId,
      listeners: createListeners(),
    },
    concurrency: 2,
    timeoutMs: 10_000,
    async attempt({ webhookId }) {
      sent.push(webhookId)
      if (sent.length > 1) return ok
      // This timer ends after the one that moves the attempt to the slow lane, because that one began first.
      setTimeout(demoted.resolve, slowAfterMs)
      await answered.promise
      return ok
    },
    announced: () => true,
    notifyOthers() {},
    onOutcome() {},
  })
  t.teardown(async () => {
    answered.resolve()
    await dispatcher.drain(0)
  })
  const first = await makeWebhook(db, at)
  await committer.commit(itemChange(at))
  await dispatcher.fanOut(eventIds)
  const second = await makeWebhook(db, at)
  await committer.commit(itemChange(at))
  lateUntil = demoted.promise
  await dispatcher.fanOut(eventIds.slice(1))
  await until(() => sent.length === 2 || sent)
  t.deepEqual(sent, [first, second])
})

import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { firstDue } from '#shared/data/dispatch/claims.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { findWebhook, writeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { itemChange, makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { claimDue } from '../../../support/webhooks/claim-due.ts'
import { fanOut, settle } from '../../../support/webhooks/cycles.ts'

const me = { owner: 'me', leaseMs: 30_000 }
const other = { owner: 'other', leaseMs: 30_000 }

const claim = (db: Database, holder = me) =>
  db.transaction((tx) => claimDue(tx, { ...holder, lane: 'fast', limit: 10 }))

test('a bound on requests holds for whoever claims the webhook: it is due when the bound allows the next attempt', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const webhookId = await makeWebhook(db, at)
  const committer = createCommitter(db, { announce() {} })
  await Promise.all([1, 2, 3].map(() => committer.commit(itemChange(at))))
  const webhook = await findWebhook(db, { accountId: at.accountId, webhookId })
  if (!webhook) throw new Error('the webhook is gone')
  await db.transaction((tx) => writeWebhook(tx, { ...webhook, maxRequestsPerSecond: 1 }))
  await fanOut(db)
  const ok = { status: 204, body: '', durationMs: 3, error: null }
  const [first, ...others] = await claim(db)
  if (!first) throw new Error('nothing was due')
  t.deepEqual([others, first.startsInMs], [[], 0])

  // As if it had begun in this moment, whenever that is.
  await db.run('update webhook_queues set last_delivery_at = last_delivery_at + 3600000')
  const settled = () => settle(db, [{ claim: first, outcome: ok, lane: 'fast', shouldContinue: true }], me)
  t.deepEqual(await isDueBetween(db, settled), [])

  // Somebody makes its deliveries due at once, and another dispatcher looks before the bound allows anything.
  await db.run('update webhook_queues set due_at = 0, last_delivery_at = last_delivery_at + 3600000')
  t.deepEqual(await isDueBetween(db, () => claim(db, other)), [])

  await db.run('update webhook_queues set due_at = 0, last_delivery_at = ?', [(await db.now()) - 995])
  const [second] = await claim(db, other)
  const noted = await db.get('select last_delivery_at from webhook_queues')
  t.is(second?.startedAt, Number(noted?.last_delivery_at))

  async function isDueBetween<T>(on: Database, act: () => Promise<T>): Promise<T> {
    const [before, done, after] = [await on.now(), await act(), await on.now()]
    const { fast } = await firstDue(on)
    t.true(fast >= before + 1_000 && fast <= after + 1_000, `${fast - before}`)
    return done
  }
})

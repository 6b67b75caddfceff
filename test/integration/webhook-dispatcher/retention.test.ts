import test from 'ava'
import { startRetention } from '#services/webhook-dispatcher/jobs/retention.ts'
import type { Database } from '#shared/data/database.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { findRetentionRun } from '#shared/data/settings/retention-runs.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { storeWebhookSecret } from '#shared/data/webhooks/webhooks.ts'
import { until } from '../../support/assertions/until.ts'
import { logEvent, logStory, wrongEventCounts } from '../../support/databases/contents/events.ts'
import { flowRun } from '../../support/databases/contents/flows.ts'
import { makeList, makeWebhook, testId, testIdAt } from '../../support/databases/contents/rows.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const day = 86_400_000

test('old deliveries, expired idempotency keys, old events, old runs and old secrets are deleted in the background, the rest stays, and one line reports each', async (t) => {
  const { db } = await testDatabase(t)
  const place = await makeList(db)
  const { accountId } = place
  const now = Date.now()
  for (let n = 0; n < 250; n++) {
    await logEvent(db, { accountId, type: 'webhook-updated', createdAt: now - 3 * day })
  }
  const kept = await logStory(db, place, { steps: ['created'], at: now - 3 * day })
  const recent = await logEvent(db, { accountId, type: 'webhook-updated', createdAt: now - day })
  const webhookId = await makeWebhook(db, { accountId })
  for (const completed of [now - 6 * day, now - 4 * day]) {
    await db.run(
      db.build('deliveries').insert({
        id: testId(),
        account_id: accountId,
        webhook_id: webhookId,
        event_id: testId(),
        event: 'item.created',
        request_id: 'r',
        created_at: completed,
        updated_at: completed,
        status: 'failed',
        completed_at: completed,
      }),
    )
  }
  const runs = [4 * day, day].map((age) => flowRun({ accountId, id: testId() }, { id: testIdAt(now - age) }))
  await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  const key = { list_id: testId(), request_hash: 'r', event_ids: '[]' }
  for (const expiresAt of [now - 1, now + day]) {
    await db.run(
      db.build('idempotency_keys').insert({ ...key, key_hash: `expires ${expiresAt}`, expires_at: expiresAt }),
    )
  }
  await replaceSecret(db, { accountId, webhookId, previousUntil: now - 1 })
  const fresh = { accountId, webhookId: await makeWebhook(db, { accountId }) }
  await replaceSecret(db, { ...fresh, previousUntil: now + day })
  const { log, lines } = testLog(t, 'dispatcher')
  const retention = startRetention({
    db,
    log,
    owner: 'test',
    deliveryDays: 5,
    eventDays: 2,
    runDays: 3,
    plans: {},
    firstAfterMs: 0,
  })
  t.teardown(retention.stop)
  await until(async () => lines.length === 5)
  for (const what of ['events', 'deliveries', 'runs'] as const)
    await until(async () => ((await findRetentionRun(db, what)) ?? 0) >= now)
  const events = await db.all<{ id: string }>('select id from events order by created_at')
  t.deepEqual(
    events.map(({ id }) => id),
    [kept.eventIds[0], recent.id],
  )
  t.is((await db.all('select id from deliveries')).length, 1)
  t.deepEqual(await db.all('select id from flow_runs'), [{ id: runs[1]?.id }])
  t.is((await db.all('select key_hash from idempotency_keys')).length, 1)
  t.deepEqual(await wrongEventCounts(db), [])
  t.deepEqual(
    await db.all('select secret, previous_secret, previous_secret_until as until from webhooks order by id'),
    [
      { secret: 'new', previous_secret: null, until: null },
      { secret: 'new', previous_secret: 'sealed', until: now + day },
    ],
  )
  const logged = lines.map((line) => JSON.parse(line)).toSorted((left, right) => (left.event < right.event ? -1 : 1))
  t.like(logged, [
    { event: 'retention.deliveries_deleted', deleted: 1, days: 5 },
    { event: 'retention.events_deleted', deleted: 250, days: 2 },
    { event: 'retention.idempotency_keys_deleted', deleted: 1 },
    { event: 'retention.old_secrets_wiped', wiped: 1 },
    { event: 'retention.runs_deleted', deleted: 1, days: 3 },
  ])
})

type Replaced = { accountId: string; webhookId: string; previousUntil: number }

async function replaceSecret(db: Database, replaced: Replaced): Promise<void> {
  await db.transaction((tx) => storeWebhookSecret(tx, { ...replaced, sealedSecret: 'new' }))
}

import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { createIds, newId } from '#shared/crypto/ids.ts'
import { wrongWaitingCounts } from '../../../support/databases/contents/rows.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
const itemId = newId()

test.before(async () => {
  const env = { LISTD_WEBHOOKS_MAX_WAITING: '500' }
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes], env })
  account = await makeAccount(gateway.deps.db)
})

test('redeliver returns the delivery as pending; a second time it is DELIVERY_PENDING', async (t) => {
  const { db, redeliver, webhook, ids, list } = await webhookWith({ gateway, account }, [
    { status: 'failed' },
    {},
    { event: 'ping' },
  ])
  for (const id of ids.slice(0, 2)) {
    t.like(await redeliver(id), { status: 200, json: { id, status: 'pending', attempts: 8, completedAt: null } })
    t.like(await redeliver(id), { status: 409, json: { name: 'DELIVERY_PENDING', code: 24003 } })
  }
  t.like(await redeliver(String(ids[2])), { status: 400, json: { name: 'VALIDATION_FAILED' } })
  t.is((await webhook()).json?.waitingCount, 2)
  t.like((await list()).json, { total: 3 })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a replay in bulk queues the oldest first, skips nothing that fits, and counts what does not', async (t) => {
  const idAt = createIds(() => 0)
  const since = Date.parse('2026-01-01T00:00:00Z')
  const rows = Array.from({ length: 650 }, (_, n) => ({
    id: idAt(since - 50 + n),
    status: n % 10 === 0 ? 'succeeded' : 'failed',
  }))
  const { db, redeliverFailed, webhook, ids } = await webhookWith({ gateway, account }, rows)
  const found = ids.slice(50).filter((_, n) => (n + 50) % 10 !== 0)
  const body = { status: 'failed', since: '2026-01-01T00:00:00Z' }
  t.like(await redeliverFailed(body), { status: 200, json: { queued: 500, skipped: found.length - 500 } })
  const queued = await db.all<{ id: string }>("select id from deliveries where status = 'pending' order by id")
  const own = queued.map(({ id }) => id).filter((id) => ids.includes(id))
  t.deepEqual(own, found.slice(0, 500))
  t.is((await webhook()).json?.waitingCount, 500)
  t.like(await redeliverFailed(body), { json: { queued: 0, skipped: found.length - 500 } })
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a replay sends what matches its filters, and its dry run returns what it would send', async (t) => {
  const { db, ids, redeliverFailed, list } = await webhookWith({ gateway, account }, [
    { status: 'failed', error: 'tls' },
    { status: 'failed', error: 'timeout', event: 'ping' },
    { status: 'succeeded', responseStatus: 204, itemId },
    { status: 'failed', responseStatus: 503 },
    { status: 'failed', error: 'timeout', itemId },
    { status: 'pending' },
  ])
  const wanted: [body: object, queued: number][] = [
    [{ status: 'failed', error: 'timeout' }, 1],
    [{ status: 'failed', responseStatus: '5xx' }, 1],
    [{ status: 'settled', itemId }, 2],
    [{ status: 'failed', event: 'ping' }, 0],
    [{ status: 'settled', since: '1960-01-01' }, 4],
    [{ status: 'settled', since: '2000-01-01', until: '2000-01-02' }, 0],
    [{ status: 'settled', startAt: '2026-01-01', eventId: newId() }, 0],
  ]
  for (const [body, queued] of wanted) {
    t.deepEqual((await redeliverFailed(body, '?dryRun=true')).json, { queued, skipped: 0 })
    t.deepEqual((await redeliverFailed({ ...body, dryRun: true })).json, { queued, skipped: 0 })
  }
  t.like((await list('?status=pending')).json, { total: 1 })
  t.deepEqual((await redeliverFailed({ status: 'settled', itemId })).json, { queued: 2, skipped: 0 })
  const waiting = await db.all<{ id: string }>(
    "select id from deliveries where status = 'pending' and webhook_id = (select webhook_id from deliveries where id = ?)",
    [ids[0]],
  )
  t.deepEqual(waiting.map(({ id }) => id).sort(), [ids[2], ids[4], ids[5]].sort())
  t.deepEqual(await wrongWaitingCounts(db), [])
})

test('a replay over all webhooks fills each as far as it has room', async (t) => {
  const own = { gateway, account: await makeAccount(gateway.deps.db) }
  const failed = (count: number) => Array.from({ length: count }, () => ({ status: 'failed', error: 'dns' }))
  const one = await webhookWith(own, failed(510))
  const other = await webhookWith(own, failed(3))
  const outside = await webhookWith({ gateway, account }, failed(2))
  const body = { status: 'failed', error: 'dns' }
  t.deepEqual((await one.redeliverAll(body, '?dryRun=true')).json, { queued: 503, skipped: 10 })
  t.deepEqual((await one.redeliverAll({ ...body, webhookId: other.webhookId })).json, { queued: 3, skipped: 0 })
  t.deepEqual((await one.redeliverAll(body)).json, { queued: 500, skipped: 10 })
  t.like(await one.redeliverAll({ ...body, webhookId: newId() }), { status: 404 })
  t.like((await outside.list('?status=failed')).json, { total: 2 })
  t.deepEqual(await wrongWaitingCounts(gateway.deps.db), [])
})

const badReplays: [claim: string, body: object, paths: string[]][] = [
  ['an empty body', {}, ['since', 'status']],
  ['another status', { status: 'succeeded', since: '2026-01-01' }, ['status']],
  ['a time that is not a date', { status: 'failed', since: 'yesterday' }, ['since']],
  ['a number', { status: 'failed', since: 5 }, ['since']],
  ['an end that is not a date', { status: 'failed', since: '2026-01-01', until: 'x' }, ['until']],
  ['an unknown property', { status: 'failed', since: '2026-01-01', order: 'x' }, ['order']],
  ['an invalid status of a response', { status: 'failed', responseStatus: '50x' }, ['responseStatus']],
  ['an event type that does not exist', { status: 'failed', event: 'item.moved' }, ['event']],
  ['an invalid id', { status: 'failed', itemId: 'x' }, ['itemId']],
  ['a cursor of another call', { status: 'failed', since: '2026-01-01', after: 'x' }, ['after']],
]

for (const [claim, body, paths] of badReplays) {
  test(`a replay in bulk with ${claim} is rejected`, async (t) => {
    const { redeliverFailed } = await webhookWith({ gateway, account }, [])
    const reply = await redeliverFailed(body)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), paths)
  })
}

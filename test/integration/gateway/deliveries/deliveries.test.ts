import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { createIds, newId } from '#shared/crypto/ids.ts'
import { wrongWaitingCounts } from '../../../support/databases/rows.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { errorPaths } from '../../../support/http/wire-errors.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  const env = { LISTD_WEBHOOKS_MAX_WAITING: '500' }
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes], env })
  account = await makeAccount(gateway.deps.db)
})

test('a page of deliveries, the newest first, with the fields of the contract', async (t) => {
  const { list, ids, webhookId } = await webhookWith({ gateway, account }, [
    { status: 'failed' },
    {},
    { status: 'pending' },
  ])
  const { status, json } = await list('?limit=2')
  t.is(status, 200)
  t.like(json, { page: 1, limit: 2, total: 3 })
  const data = Object(json).data as Record<string, unknown>[]
  t.deepEqual(
    data.map(({ id }) => id),
    [ids[2], ids[1]],
  )
  t.like(data[0], { webhookId, status: 'pending', event: 'item.created', attempts: 0, response: null, error: null })
  t.deepEqual(Object.keys(data[0] ?? {}), [
    'id',
    'createdAt',
    'updatedAt',
    'webhookId',
    'eventId',
    'event',
    'listId',
    'itemId',
    'status',
    'attempts',
    'nextAttemptAt',
    'lastAttemptAt',
    'completedAt',
    'response',
    'error',
  ])
})

const itemId = newId()
const listed = [
  { status: 'failed', event: 'item.created' },
  { status: 'succeeded', event: 'item.updated', itemId },
  { status: 'failed', event: 'item.deleted', itemId },
  { status: 'succeeded', event: 'ping' },
]
const listings: [query: string, positions: number[]][] = [
  ['?status=failed', [2, 0]],
  ['?status=failed&direction=asc', [0, 2]],
  ['?status=pending', []],
  ['?event=item.updated', [1]],
  ['?event=ITEM', [2, 1, 0]],
  ['?event=in:ping,item.created', [3, 0]],
  ['?event=starts:p', [3]],
  ['?event=nothing', []],
  [`?itemId=${itemId}`, [2, 1]],
  [`?itemId=${itemId}&status=failed`, [2]],
  ['?itemId=x', []],
  ['?itemId=%00', []],
  ['?order=createdAt&page=2&limit=3', [0]],
]

for (const [query, positions] of listings) {
  test(`GET …/deliveries${query.replace(itemId, '<id>')} shows ${positions.length}`, async (t) => {
    const { list, ids } = await webhookWith({ gateway, account }, listed)
    const { status, json } = await list(query)
    t.is(status, 200)
    t.deepEqual(
      (Object(json).data as { id: string }[]).map(({ id }) => ids.indexOf(id)),
      positions,
    )
  })
}

const badQueries: [query: string, path: string][] = [
  ['?status=done', 'status'],
  ['?other=1', 'other'],
  ['?order=attempts', 'order'],
  ['?limit=0', 'limit'],
  ['?limit=101', 'limit'],
  ['?page=0', 'page'],
  ['?after=nonsense', 'after'],
]

for (const [query, path] of badQueries) {
  test(`GET …/deliveries${query} is refused`, async (t) => {
    const { list } = await webhookWith({ gateway, account }, [])
    const reply = await list(query)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), [path])
  })
}

test('a cursor goes on where the page ended, and fits its filters only', async (t) => {
  const { list, ids } = await webhookWith({ gateway, account }, Array(5).fill({}))
  const first = (await list('?limit=3&after=')).json
  t.deepEqual(Object.keys(first ?? {}), ['limit', 'next', 'data'])
  const second = (await list(`?limit=3&after=${first?.next}`)).json
  t.like(second, { next: null, data: [{ id: ids[1] }, { id: ids[0] }] })
  t.is((await list(`?limit=3&status=succeeded&after=${first?.next}`)).status, 400)
})

test('a delivery is got with its payload, character by character, and its attempt log', async (t) => {
  const { db, get, ids } = await webhookWith({ gateway, account }, [{ status: 'failed' }])
  await db.run(
    "update deliveries set attempts = 1, last_attempt_at = 5, response_duration_ms = 7, error = 'timeout' where id = ?",
    [ids[0]],
  )
  const { status, json, text } = await get(String(ids[0]))
  t.is(status, 200)
  t.true(text.includes('"big":12345678901234567890}'))
  t.deepEqual(json?.attemptLog, [
    { number: 1, startedAt: '1970-01-01T00:00:00.005Z', durationMs: 7, status: null, error: 'timeout' },
  ])
})

test('an attempt that has not ended is in the attempt log, without an outcome', async (t) => {
  const { db, get, ids } = await webhookWith({ gateway, account }, [{ status: 'pending' }])
  await db.run(
    'insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status, error) values (?, 1, 3, 4, null, ?)',
    [ids[0], 'timeout'],
  )
  await db.run(
    'update deliveries set attempts = 2, last_attempt_at = 5, response_duration_ms = 7, response_status = 500 where id = ?',
    [ids[0]],
  )
  await db.run(
    `update webhook_queues set attempt_delivery_id = ?, last_delivery_at = 9
      where webhook_id = (select webhook_id from deliveries where id = ?)`,
    [ids[0], ids[0]],
  )
  const { json } = await get(String(ids[0]))
  t.like(json, { attempts: 3, lastAttemptAt: '1970-01-01T00:00:00.009Z', response: { status: 500 } })
  t.deepEqual(json?.attemptLog, [
    { number: 1, startedAt: '1970-01-01T00:00:00.003Z', durationMs: 4, status: null, error: 'timeout' },
    { number: 2, startedAt: '1970-01-01T00:00:00.005Z', durationMs: 7, status: 500, error: null },
    { number: 3, startedAt: '1970-01-01T00:00:00.009Z', durationMs: null, status: null, error: null },
  ])
})

test('redeliver answers with the delivery back at pending; again it is DELIVERY_PENDING', async (t) => {
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

const badReplays: [claim: string, body: object, paths: string[]][] = [
  ['nothing said', {}, ['since', 'status']],
  ['another status', { status: 'succeeded', since: '2026-01-01' }, ['status']],
  ['no date', { status: 'failed', since: 'yesterday' }, ['since']],
  ['a number', { status: 'failed', since: 5 }, ['since']],
  ['more than it takes', { status: 'failed', since: '2026-01-01', until: 'x' }, ['until']],
]

for (const [claim, body, paths] of badReplays) {
  test(`a replay in bulk with ${claim} is refused`, async (t) => {
    const { redeliverFailed } = await webhookWith({ gateway, account }, [])
    const reply = await redeliverFailed(body)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), paths)
  })
}

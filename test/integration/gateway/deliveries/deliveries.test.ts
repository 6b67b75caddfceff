import test from 'ava'
import { deliveryRoutes } from '#services/gateway/resources/deliveries/routes.ts'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { webhookWith } from '../../../support/webhooks/webhook-calls.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount

test.before(async () => {
  gateway = await startGateway(cleanup, { routes: [...webhookRoutes, ...deliveryRoutes] })
  account = await makeAccount(gateway.deps.db)
})

test('a page of deliveries is newest first, with the fields of the contract', async (t) => {
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
const eventId = newId()
const listId = newId()
const listed = [
  { status: 'failed', event: 'item.created', responseStatus: 502 },
  { status: 'succeeded', event: 'item.updated', itemId, responseStatus: 204 },
  { status: 'failed', event: 'item.deleted', itemId, error: 'timeout', listId },
  { status: 'succeeded', event: 'ping', responseStatus: 503 },
]
const listings: [query: string, positions: number[]][] = [
  ['?status=failed', [2, 0]],
  ['?status=failed&direction=asc', [0, 2]],
  ['?status=pending', []],
  ['?event=item.updated', [1]],
  ['?event=ITEM', [2, 1, 0]],
  ['?event=in:ping,item.created', [3, 0]],
  ['?event=starts:p', [3]],
  [`?itemId=${itemId}`, [2, 1]],
  [`?itemId=${itemId}&status=failed`, [2]],
  ['?order=createdAt&page=2&limit=3', [0]],
  ['?responseStatus=502', [0]],
  ['?responseStatus=5xx', [3, 0]],
  ['?error=timeout', [2]],
  ['?error=tls', []],
  [`?listId=${listId}`, [2]],
  [`?eventId=${eventId}`, []],
  ['?startAt=1970-01-01', [3, 2, 1, 0]],
  ['?endAt=1969-01-01', []],
  ['?startAt=1970-01-01T00:00:00Z&endAt=2500-01-01&responseStatus=2xx', [1]],
]

for (const [query, positions] of listings) {
  test(`GET …/deliveries${query.replace(/[0-9a-f-]{36}/, '<id>')} shows ${positions.length}`, async (t) => {
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
  ['?responseStatus=600', 'responseStatus'],
  ['?responseStatus=50', 'responseStatus'],
  ['?error=broken', 'error'],
  ['?startAt=yesterday', 'startAt'],
  ['?webhookId=x', 'webhookId'],
  ['?event=item-created', 'event'],
  ['?itemId=x', 'itemId'],
  ['?itemId=%00', 'itemId'],
  ['?eventId=x', 'eventId'],
  ['?listId=recipes', 'listId'],
]

for (const [query, path] of badQueries) {
  test(`GET …/deliveries${query} is rejected`, async (t) => {
    const { list } = await webhookWith({ gateway, account }, [])
    const reply = await list(query)
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), [path])
  })
}

test('a cursor continues where the page ended, and is valid only for its filters', async (t) => {
  const { list, ids } = await webhookWith({ gateway, account }, Array(5).fill({}))
  const first = (await list('?limit=3&after=')).json
  t.deepEqual(Object.keys(first ?? {}), ['limit', 'next', 'data'])
  const second = (await list(`?limit=3&after=${first?.next}`)).json
  t.like(second, { next: null, data: [{ id: ids[1] }, { id: ids[0] }] })
  t.is((await list(`?limit=3&status=succeeded&after=${first?.next}`)).status, 400)
})

/** An attempt of which only the outcome was stored. */
const noDetails = { phases: null, headers: null }

test('a delivery is returned with its payload, character by character, and its attempt log', async (t) => {
  const { db, get, ids } = await webhookWith({ gateway, account }, [{ status: 'failed' }])
  await db.run(
    "update deliveries set attempts = 1, last_attempt_at = 5, response_duration_ms = 7, error = 'timeout' where id = ?",
    [ids[0]],
  )
  const { status, json, text } = await get(String(ids[0]))
  t.is(status, 200)
  t.true(text.includes('"big":12345678901234567890}'))
  t.deepEqual(json?.attemptLog, [
    { number: 1, startedAt: '1970-01-01T00:00:00.005Z', durationMs: 7, status: null, error: 'timeout', ...noDetails },
  ])
})

test('an unfinished attempt is in the attempt log, without an outcome', async (t) => {
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
    { number: 1, startedAt: '1970-01-01T00:00:00.003Z', durationMs: 4, status: null, error: 'timeout', ...noDetails },
    { number: 2, startedAt: '1970-01-01T00:00:00.005Z', durationMs: 7, status: 500, error: null, ...noDetails },
    { number: 3, startedAt: '1970-01-01T00:00:00.009Z', durationMs: null, status: null, error: null, ...noDetails },
  ])
})

test('the deliveries of all webhooks are one list, which can be filtered by webhook, status and more', async (t) => {
  const own = { gateway, account: await makeAccount(gateway.deps.db) }
  const one = await webhookWith(own, [{ status: 'failed', error: 'tls' }, {}])
  const other = await webhookWith(own, [{ status: 'pending' }, { status: 'failed', error: 'tls' }])
  await webhookWith({ gateway, account }, [{ status: 'failed', error: 'tls' }])
  const idsOf = async (query: string) => (await one.listAll(query)).json as { data: { id: string }[]; total: number }
  const all = await idsOf('')
  t.is(all.total, 4)
  t.deepEqual(
    all.data.map(({ id }) => id),
    [...other.ids.toReversed(), ...one.ids.toReversed()],
  )
  t.like(await idsOf('?error=tls'), { total: 2, data: [{ id: other.ids[1] }, { id: one.ids[0] }] })
  t.like(await idsOf(`?webhookId=${one.webhookId}&direction=asc`), { total: 2, data: [{ id: one.ids[0] }] })
  t.like(await idsOf(`?webhookId=${newId()}`), { total: 0, data: [] })
  t.like(await idsOf('?status=failed&limit=1&page=2'), { total: 2, data: [{ id: one.ids[0] }] })
})

test('stats of a webhook have causes, durations and hours, and nothing without deliveries', async (t) => {
  const { stats } = await webhookWith({ gateway, account }, [
    { responseStatus: 204 },
    { status: 'failed', responseStatus: 502 },
    { status: 'failed', error: 'dns' },
    { status: 'failed', responseStatus: 502 },
    { status: 'pending' },
  ])
  t.deepEqual((await stats()).json, {
    succeeded: 1,
    failed: 3,
    causes: [
      { responseStatus: 502, count: 2 },
      { error: 'dns', count: 1 },
    ],
    durations: { p50: 5, p95: 5, max: 5 },
    hours: [{ at: '1970-01-01T00:00:00.000Z', succeeded: 1, failed: 3 }],
  })
  const none = await webhookWith({ gateway, account }, [])
  t.deepEqual((await none.stats()).json, { succeeded: 0, failed: 0, causes: [], durations: null, hours: [] })
})

import test from 'ava'
import { webhookRoutes } from '#services/gateway/resources/webhooks/routes.ts'
import { newId } from '#shared/crypto/ids.ts'
import { createMasterKey, openSealer } from '#shared/crypto/seal.ts'
import { changeSealingKey, checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { webhookHeadersBinding, webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { until } from '../../../support/assertions/until.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startNats } from '../../../support/nats/nats.ts'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { afterAll } from '../../../support/test-context/shared.ts'
import { answerProbes } from '../../../support/webhooks/webhook-probe.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let listId: string
let asked: string[]

test.before(async () => {
  const nats = await startNats()
  cleanup.teardown(nats.dispose)
  gateway = await startGateway(cleanup, { routes: webhookRoutes, natsUrl: nats.url })
  asked = await answerProbes(cleanup, nats.url, (url) => (url.includes('tls') ? 'tls' : null))
  account = await makeAccount(gateway.deps.db)
  listId = await addList(gateway.deps.db, account.accountId)
  await until(async () => gateway.deps.bus.connected())
})

const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: object) => ask({ method: 'POST', path: '/webhooks', body: { events: [], ...body } })
const put = (id: unknown, body: object) => ask({ method: 'PUT', path: `/webhooks/${id}`, body })
const url = 'https://hooks.example.com/in?x=1'

test.serial('a webhook is created with its defaults, its secret shown once and stored sealed', async (t) => {
  const added = await create({
    url,
    events: ['item.created', 'item.deleted', 'item.created'],
    listIds: [listId, listId],
  })
  t.is(added.status, 201)
  const { secret, ...shown } = added.json ?? {}
  t.regex(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.like(shown, {
    url,
    events: ['item.created', 'item.deleted'],
    listIds: [listId],
    description: '',
    where: {},
    headerNames: [],
    maxRequestsPerSecond: null,
    activated: true,
    failureCount: 0,
    disabledAt: null,
    disabledReason: null,
    waitingCount: 0,
    heldCount: 0,
    heldIsAtLeast: false,
    oldestHeldAt: null,
    missedCount: 0,
    lastDeliveryAt: null,
  })
  t.is(Object.keys(shown).length, 20)
  const read = await ask({ path: `/webhooks/${shown.id}` })
  t.deepEqual(read.json, shown)
  const row = await gateway.deps.db.get<{ secret: string }>('select secret from webhooks where id = ?', [shown.id])
  const owner = { accountId: account.accountId, webhookId: String(shown.id) }
  t.is(gateway.deps.sealer.open(row?.secret ?? '', webhookSecretBinding(owner)), String(secret))
  for (const place of [
    JSON.stringify(gateway.logged()),
    JSON.stringify(await gateway.deps.db.all('select * from events')),
  ]) {
    t.false(place.includes(String(secret)))
  }
})

test.serial('fixed headers are stored sealed, and only their names are ever shown', async (t) => {
  const headers = { Authorization: 'Bearer canary-pass', 'X-Team': 'kitchen' }
  const { json: added } = await create({ url, headers })
  t.deepEqual([added?.headerNames, added?.headers], [['Authorization', 'X-Team'], undefined])
  const owner = { accountId: account.accountId, webhookId: String(added?.id) }
  const stored = async () => {
    const row = await gateway.deps.db.get<{ headers: string | null }>('select headers from webhooks where id = ?', [
      added?.id,
    ])
    return row?.headers ? gateway.deps.sealer.open(row.headers, webhookHeadersBinding(owner)) : null
  }
  t.is(await stored(), JSON.stringify(Object.entries(headers)))
  const kept = await put(added?.id, { description: 'x' })
  t.deepEqual(kept.json?.headerNames, ['Authorization', 'X-Team'])
  const replaced = await put(added?.id, { headers: { 'x-key': 'canary-pass' } })
  t.deepEqual(replaced.json?.headerNames, ['x-key'])
  t.is(await stored(), '[["x-key","canary-pass"]]')
  const events = JSON.stringify(await gateway.deps.db.all('select * from events'))
  t.false((events + JSON.stringify(gateway.logged())).includes('canary-pass'))
  t.true(events.includes('x-key'))
  const removed = await put(added?.id, { headers: {} })
  t.deepEqual([removed.json?.headerNames, await stored()], [[], null])
})

test.serial('rejected headers are named, but their values are not', async (t) => {
  const headers = { Host: 'canary-pass', 'X-Service-Event': 'canary-pass', 'x-a': 'canary-pass', 'X-A': 'canary-pass' }
  const rejected = await create({ url, headers })
  t.is(rejected.status, 400)
  t.deepEqual(errorPaths(rejected), ['headers.Host', 'headers.X-A', 'headers.X-Service-Event'])
  t.false(rejected.text.includes('canary-pass'))
})

const rejections: [claim: string, body: object, reason: string, message: RegExp][] = [
  ['no url', { url: '' }, 'invalid', /port 443 or 1024 to 65535/],
  ['a url with a user', { url: 'https://me@hooks.example.com/' }, 'invalid', /no user name/],
  [
    'a url of 2,049 characters',
    { url: `https://hooks.example.com/${'x'.repeat(2_023)}` },
    'invalid',
    /2,048 characters/,
  ],
  ['plain http', { url: 'http://hooks.example.com/' }, 'not-https', /webhooks.allowHttp \(LISTD_WEBHOOKS_ALLOW_HTTP\)/],
  [
    'a private address',
    { url: 'https://10.0.0.1/' },
    'private-address',
    /webhooks.allowCidrs \(LISTD_WEBHOOKS_ALLOW_CIDRS\)/,
  ],
  [
    'a url that the probe rejects',
    { url: 'https://tls.example.com/' },
    'tls',
    /webhooks.caFile \(LISTD_WEBHOOKS_CA_FILE\)/,
  ],
]

for (const [claim, body, reason, message] of rejections) {
  test.serial(`${claim} is rejected as ${reason}, on create and on change`, async (t) => {
    const rejected = { status: 422, json: { name: 'WEBHOOK_URL_REFUSED', code: 24001, details: { reason } } }
    const created = await create(body)
    t.like(created, rejected)
    t.regex(String(created.json?.message), message)
    const added = await create({ url })
    t.like(await put(added.json?.id, body), rejected)
    t.is((await ask({ path: `/webhooks/${added.json?.id}` })).json?.url, url)
  })
}

test.serial('the URL is probed on create and on each of its changes, and at no other time', async (t) => {
  const added = await create({ url })
  const before = asked.length
  await put(added.json?.id, { url, description: 'x' })
  t.is(asked.length, before)
  await put(added.json?.id, { url: 'https://other.example.com/' })
  t.deepEqual(asked.slice(before), ['https://other.example.com/'])
})

const errors: [claim: string, body: () => object, paths: string[]][] = [
  [
    'unknown and read-only properties',
    () => ({ url, secret: 'x', failureCount: 0, id: newId() }),
    ['failureCount', 'id', 'secret'],
  ],
  ['wrong types', () => ({ url: 5, events: 'item.created', activated: 'true' }), ['activated', 'events', 'url']],
  [
    'events that are never sent',
    () => ({ url, events: ['item.created', 'flow.emit', 'ping'] }),
    ['events.1', 'events.2'],
  ],
  ['invalid ids of lists', () => ({ url, listIds: [listId, newId(), 'recipes'] }), ['listIds.2']],
  ['lists that do not exist', () => ({ url, listIds: [newId(), listId] }), ['listIds.0']],
]

for (const [claim, body, paths] of errors) {
  test.serial(`${claim}: every error at once, nothing written`, async (t) => {
    const count = () => gateway.deps.db.get('select count(*) as n from webhooks')
    const before = await count()
    const reply = await create(body())
    t.is(reply.status, 400)
    t.deepEqual(errorPaths(reply), paths)
    t.deepEqual(await count(), before)
  })
}

test.serial("another account's list cannot be named, and a deleted one stays", async (t) => {
  const other = await makeAccount(gateway.deps.db)
  const foreign = await addList(gateway.deps.db, other.accountId)
  t.is((await create({ url, listIds: [foreign] })).status, 400)
  const doomed = await addList(gateway.deps.db, account.accountId, { pathName: 'doomed' })
  const added = await create({ url, listIds: [doomed] })
  await gateway.deps.db.run('delete from lists where id = ?', [doomed])
  const { status, json } = await put(added.json?.id, { listIds: [doomed, listId] })
  t.is(status, 200)
  t.deepEqual(json?.listIds, [doomed, listId])
})

test.serial('a change is partial, and an empty one is rejected', async (t) => {
  const added = await create({ url, events: ['item.updated'], description: 'old' })
  const changed = await put(added.json?.id, { description: 'new', events: [] })
  t.like(changed, { status: 200, json: { url, description: 'new', events: [], listIds: [] } })
  t.false('secret' in (changed.json ?? {}))
  t.is((await put(added.json?.id, {})).status, 400)
})

test.serial('every change is in the event log, without the secret', async (t) => {
  const added = await create({ url })
  await put(added.json?.id, { description: 'x' })
  t.is((await ask({ method: 'DELETE', path: `/webhooks/${added.json?.id}` })).status, 204)
  const rows = await gateway.deps.db.all('select * from events where model_id = ? order by id', [added.json?.id])
  t.deepEqual(
    rows.map(({ type }) => type),
    ['webhook-created', 'webhook-updated', 'webhook-deleted'],
  )
  t.true(rows.every(({ stream, account_id }) => stream === 'webhook' && account_id === account.accountId))
  t.false(JSON.stringify(rows).includes('whsec_'))
})

test.serial(
  'a key that a running gateway does not have does not become the sealing key; if it does, nothing is sealed',
  async (t) => {
    const { config, db } = gateway.deps
    const { id } = (await create({ url })).json ?? {}
    const next = createMasterKey()
    const [nextId = ''] = openSealer(next).keyIds()
    const keys = `${next},${config.secrets.masterKey}`
    const run = commandsWith({
      ...sharedSettings(config),
      LISTD_NATS_URL: config.nats.url,
      LISTD_SECRETS_MASTER_KEY: keys,
    })
    const rejected = await run(['secrets', 'reseal'])
    t.regex(rejected.stderr, new RegExp(`^listd: test does not have the key ${nextId} yet, so nothing was changed\\.`))
    t.deepEqual((await checkMasterKey(db, gateway.deps.sealer)).missing, [])
    await changeSealingKey(db, { keys: openSealer(keys), keyId: nextId })
    const replaced = await ask({ method: 'POST', path: `/webhooks/${id}/secret` })
    t.like(replaced, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
    t.true(gateway.logged().some(({ event, keyId }) => event === 'secrets.key_missing' && keyId === nextId))
    const [firstId = ''] = openSealer(config.secrets.masterKey).keyIds()
    await changeSealingKey(db, { keys: openSealer(keys), keyId: firstId })
    t.is((await ask({ method: 'POST', path: `/webhooks/${id}/secret` })).status, 200)
  },
)

test.serial('a webhook shows how many events are held for it and since when, counted to 10,000', async (t) => {
  const { db } = gateway.deps
  const added = { id: String((await create({ url })).json?.id) }
  const backlog = {
    webhook_id: added.id,
    account_id: account.accountId,
    first_position: 7,
    next_position: 10,
    missing: 0,
  }
  await db.run(db.build('held_backlogs').insert(backlog))
  const ids = { webhook_id: added.id, event_id: newId(), request_id: 'r' }
  await db.run(db.build('held_events').insert({ ...ids, position: 7, event: 'item.created', held_at: 1_000 }))
  const read = async () => (await ask({ path: `/webhooks/${added.id}` })).json ?? {}
  t.like(await read(), { heldCount: 3, heldIsAtLeast: false, oldestHeldAt: '1970-01-01T00:00:01.000Z' })
  for (const [next, expected] of [
    [10_007, { heldCount: 10_000, heldIsAtLeast: false }],
    [10_008, { heldCount: 10_000, heldIsAtLeast: true }],
    [7, { heldCount: 0, heldIsAtLeast: false }],
  ] as const) {
    await db.run('update held_backlogs set next_position = ? where webhook_id = ?', [next, added.id])
    t.like(await read(), expected)
  }
  const page = await ask({ path: '/webhooks?order=heldCount&direction=desc&limit=1' })
  t.is(page.status, 200)
  await db.run('delete from held_events')
  await db.run('delete from held_backlogs')
})

test.serial('the count of missed events is set to 0 by a user, whom the event log names', async (t) => {
  const { db } = gateway.deps
  const added = { id: String((await create({ url })).json?.id) }
  await db.run('update webhook_queues set missed = 7 where webhook_id = ?', [added.id])
  const clear = (id: string) => ask({ method: 'POST', path: `/webhooks/${id}/missed/clear` })
  t.like(await clear(added.id), { status: 200, json: { id: added.id, missedCount: 0 } })
  t.is((await ask({ path: `/webhooks/${added.id}` })).json?.missedCount, 0)
  t.like(await clear(newId()), { status: 404 })
  const rows = await db.all<{ type: string }>('select type from events where model_id = ? order by id', [added.id])
  t.deepEqual(
    rows.map(({ type }) => type),
    ['webhook-created', 'webhook-updated'],
  )
})

test('while no dispatcher can probe the URL the answer is 503, and nothing is written', async (t) => {
  const lonely = await startGateway(t, { routes: webhookRoutes })
  const { user } = await makeAccount(lonely.deps.db)
  const reply = await call(lonely.port, { method: 'POST', path: '/webhooks', headers: user, body: { url, events: [] } })
  t.like(reply, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.regex(reply.headers['retry-after'] ?? '', /^\d+$/)
  t.deepEqual(await lonely.deps.db.all('select * from webhooks'), [])
  t.is((await call(lonely.port, { path: '/webhooks', headers: user })).status, 200)
})

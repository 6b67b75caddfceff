import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import { wrongWaitingCounts } from '../../support/databases/contents/rows.ts'
import { createApi, served } from '../../support/http/api.ts'
import { makeCredentials } from '../../support/http/credentials.ts'
import type { ReceivedRequest } from '../../support/receivers/receiver.ts'
import { shared } from '../../support/test-context/shared.ts'
import { deliveriesOf, quickRetries, untilDisabled, untilTotal } from '../../support/webhooks/deliveries.ts'
import {
  addWebhook,
  createItem,
  createItems,
  receivedBy,
  type Scene,
  type SceneWebhook,
  setScene,
  setSceneOn,
} from '../../support/webhooks/scene.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

const eightAttempts = Array(8).fill(500)

const maxWaiting = 40
const base = shared((t) =>
  setScene(t, {
    webhooks: 0,
    env: { ...quickRetries, LISTD_WEBHOOKS_MAX_WAITING: `${maxWaiting}`, LISTD_WEBHOOKS_MAX_HELD: '0' },
  }),
)

async function oneWebhook(t: ExecutionContext) {
  const scene = await setSceneOn(t, base())
  const [webhook] = scene.webhooks as [SceneWebhook]
  return { scene, webhook, calls: deliveriesOf(scene, webhook) }
}

/** The event ids a webhook has received, in order. */
const eventIds = (webhook: SceneWebhook) => receivedBy(webhook).map(({ headers }) => headers['webhook-id'] ?? '')

/** The types of the webhooks' events in the log, in order. */
async function eventTypes({ db, listd }: Scene): Promise<string[]> {
  const rows = await db.all<{ type: string }>(
    "select type from events where stream = 'webhook' and account_id = ? order by created_at, id",
    [listd.credentials.accountId],
  )
  return rows.map(({ type }) => type)
}

test.serial('a failed delivery is read with payload and log, and sent again with the same ids and bytes', async (t) => {
  const { scene, webhook, calls } = await oneWebhook(t)
  scene.receiver.reply = { status: 500, body: 'out of soup' }
  const itemId = await createItem(scene)
  await untilTotal(calls.list, '?status=failed', 1)

  const [failed] = (await calls.list()).json.data
  t.like(failed, {
    webhookId: webhook.id,
    event: 'item.created',
    itemId,
    attempts: 8,
    nextAttemptAt: null,
    error: null,
  })
  t.like(failed.response, { status: 500, body: 'out of soup' })
  const whole = await calls.get(failed.id)
  t.deepEqual(
    whole.json.attemptLog.map(({ status }: { status: number }) => status),
    eightAttempts,
  )
  const [first, second] = whole.json.attemptLog
  t.true([first.phases.connectMs, first.phases.tlsMs, second.phases.waitMs].every(Number.isInteger))
  t.true(whole.text.includes(`"payload":${receivedBy(webhook)[0]?.body.toString()},"attemptLog"`))

  scene.receiver.reply = {}
  const again = await calls.redeliver(failed.id)
  t.like(again, { status: 200, json: { id: failed.id, eventId: failed.eventId, status: 'pending', attempts: 8 } })
  await untilTotal(calls.list, '?status=succeeded', 1)
  t.like((await calls.get(failed.id)).json, { attempts: 9, status: 'succeeded' })
  const received = receivedBy(webhook)
  t.is(received.length, 9)
  for (const request of received) {
    t.deepEqual(request.body, received[0]?.body)
    t.is(request.headers['x-service-delivery'], failed.id)
    t.is(request.headers['webhook-id'], failed.eventId)
    t.deepEqual(verifyStandardSignature(request, webhook.secret), verifyServiceSignature(request, webhook.secret))
  }
  t.deepEqual(await wrongWaitingCounts(scene.db), [])
})

test.serial(
  '20 failures in a row disable the webhook; activation sends waiting deliveries, oldest first',
  async (t) => {
    const { scene, webhook, calls } = await oneWebhook(t)
    scene.receiver.reply = { status: 503 }
    await createItems(scene, 30)
    await untilDisabled(calls, { waitingCount: 10 })
    const disabled = (await calls.webhook()).json
    t.is(disabled.failureCount, 20)
    t.regex(disabled.disabledReason, /20 deliveries in a row/)
    t.truthy(disabled.disabledAt)
    t.is((await calls.list('?status=failed')).json.total, 20)
    t.deepEqual(await eventTypes(scene), ['webhook-created', 'webhook-disabled'])

    await createItem(scene)
    const [failed] = (await calls.list('?status=failed&limit=1')).json.data
    t.like((await calls.redeliver(failed.id)).json, { status: 'pending' })
    t.like((await calls.webhook()).json, { waitingCount: 11, missedCount: 0 })
    const before = receivedBy(webhook).length

    scene.receiver.reply = {}
    const waiting = (await calls.list('?status=pending&direction=asc')).json.data
    const on = await calls.put({ activated: true })
    t.like(on.json, { activated: true, failureCount: 0, disabledAt: null, disabledReason: null, missedCount: 0 })
    await untilTotal(calls.list, '?status=succeeded', 11)
    t.deepEqual(
      eventIds(webhook).slice(before),
      waiting.map(({ eventId }: { eventId: string }) => eventId),
    )
    t.deepEqual(await wrongWaitingCounts(scene.db), [])
  },
)

test.serial(
  'beyond the waiting limit, if none may be held, events are missed, counted and reported once; a replay skips what does not fit',
  async (t) => {
    const { scene, webhook, calls } = await oneWebhook(t)
    const offAndOn = async () => {
      await calls.put({ activated: false })
      scene.receiver.reply = {}
      await calls.put({ activated: true })
    }
    scene.receiver.reply = { status: 500 }
    for (let n = 1; n <= 7; n++) {
      await createItem(scene)
      await untilTotal(calls.list, '?status=failed', n)
    }
    scene.receiver.reply = { hang: 'before-head' }
    await createItems(scene, maxWaiting + 4)
    await until(async () => (await calls.webhook()).json.missedCount === 4, {
      withinMs: 60_000,
      what: 'four missed events',
    })
    t.is((await calls.webhook()).json.waitingCount, maxWaiting)
    t.deepEqual(await eventTypes(scene), ['webhook-created', 'webhook-backlog-full'])
    const [failed] = (await calls.list('?status=failed')).json.data
    t.like(await calls.redeliver(failed.id), { status: 409, json: { name: 'WEBHOOK_BACKLOG_FULL', code: 24004 } })
    const since = failed.createdAt.replace(/T.*/, 'T00:00:00.000Z')
    t.deepEqual((await calls.redeliverFailed({ status: 'failed', since })).json, { queued: 0, skipped: 7 })

    await offAndOn()
    await untilTotal(calls.list, '?status=succeeded', maxWaiting)
    t.like((await calls.webhook()).json, { waitingCount: 0, missedCount: 0 })
    scene.receiver.reply = { hang: 'before-head' }
    await createItems(scene, maxWaiting - 5)
    await untilTotal(calls.list, '?status=pending', maxWaiting - 5)
    t.deepEqual((await calls.redeliverFailed({ status: 'failed', since })).json, { queued: 5, skipped: 2 })
    await offAndOn()
    await untilTotal(calls.list, '?status=succeeded', 2 * maxWaiting)
    t.deepEqual((await calls.redeliverFailed({ status: 'failed', since })).json, { queued: 2, skipped: 0 })
    await untilTotal(calls.list, '?status=succeeded', 2 * maxWaiting + 2)
    t.is(new Set(eventIds(webhook)).size, 2 * maxWaiting + 2)
    t.deepEqual(await wrongWaitingCounts(scene.db), [])
  },
)

test.serial(
  'waiting deliveries are signed with a new secret; the old one still matches webhook-signature',
  async (t) => {
    const { scene, webhook, calls } = await oneWebhook(t)
    scene.receiver.reply = { status: 500 }
    await createItem(scene)
    await untilTotal(calls.list, '?status=failed', 1)
    const replaced = await calls.replaceSecret()
    t.like(replaced, { status: 200, json: { id: webhook.id, activated: true } })
    const { secret } = replaced.json
    t.regex(secret, /^whsec_/)
    t.not(secret, webhook.secret)
    scene.receiver.reply = {}
    const [failed] = (await calls.list()).json.data
    await calls.redeliver(failed.id)
    await untilTotal(calls.list, '?status=succeeded', 1)

    const [first, last] = [receivedBy(webhook)[0], receivedBy(webhook).at(-1)]
    if (!first || !last) return t.fail('nothing was received')
    t.notThrows(() => verifyServiceSignature(first, webhook.secret))
    t.throws(() => verifyStandardSignature(first, secret))
    t.notThrows(() => verifyServiceSignature(last, secret))
    t.throws(() => verifyServiceSignature(last, webhook.secret))
    for (const one of [secret, webhook.secret]) t.notThrows(() => verifyStandardSignature(last, one))

    await scene.db.run('update webhooks set previous_secret_until = ? where id = ?', [Date.now(), webhook.id])
    await calls.redeliver(failed.id)
    await until(async () => receivedBy(webhook).length === 10, { withinMs: 60_000, what: 'the tenth request' })
    const after = receivedBy(webhook).at(-1)
    if (!after) return t.fail()
    t.notThrows(() => verifyStandardSignature(after, secret))
    t.throws(() => verifyStandardSignature(after, webhook.secret))
    for (const text of [webhook.secret, secret]) t.false(scene.listd.output().includes(text))
  },
)

test.serial('deactivation and deletion drop the open request; none starts after their responses', async (t) => {
  const { scene, webhook, calls } = await oneWebhook(t)
  scene.receiver.reply = { hang: 'before-head' }
  await createItems(scene, 3)
  await untilTotal(calls.list, '?status=pending', 3)
  await scene.receiver.received(1)
  t.like((await calls.put({ activated: false })).json, { activated: false, waitingCount: 3 })
  await scene.receiver.opened(0)
  t.is(receivedBy(webhook).length, 1)
  await calls.put({ activated: true })
  await scene.receiver.received(2)
  t.is((await calls.remove()).status, 204)
  await scene.receiver.opened(0)
  t.is(receivedBy(webhook).length, 2)
  t.is((await calls.list()).status, 404)
  const { accountId } = scene.listd.credentials
  t.deepEqual(await scene.db.all('select id from deliveries where account_id = ?', [accountId]), [])
  const payloads = 'select p.event_id from event_payloads p join events e on e.id = p.event_id where e.account_id = ?'
  t.deepEqual(await scene.db.all(payloads, [accountId]), [])
})

test.serial("30 creates at once on the plan indie create exactly the plan's 5 webhooks", async (t) => {
  const { listd, receiver } = base()
  const { session } = await makeCredentials(listd.dataDir, { plan: 'indie' })
  const user = createApi(() => listd.address, { authorization: `Bearer ${session}` })
  const body = { url: receiver.url, events: [] }
  const create = () => served(() => user('POST', '/webhooks', { body }))
  const answers = await Promise.all(Array.from({ length: 30 }, create))
  t.is(answers.filter(({ status }) => status === 201).length, 5)
  for (const { status, json } of answers.filter((answer) => answer.status !== 201)) {
    t.like(
      { status, json },
      { status: 403, json: { name: 'WEBHOOK_LIMIT_REACHED', details: { plan: 'indie', max: 5 } } },
    )
  }
  t.is((await user('GET', '/webhooks')).json.total, 5)
})

test.serial(
  'a webhook that excludes drafts is sent the update that activates a draft, and the one that makes an item a draft',
  async (t) => {
    const { scene, webhook, calls } = await oneWebhook(t)
    const events = ['item.created', 'item.updated']
    const body = { events, where: { recipes: { activated: true, tagged: 'new' } } }
    t.is((await scene.listd.user('PUT', `/webhooks/${webhook.id}`, { body })).status, 200)
    const items = '/lists/recipes/items'
    const draft = { data: { title: 'Draft soup' }, tags: ['new'], activated: false }
    const { json: item } = await scene.listd.api('POST', items, { body: draft })
    await scene.listd.api('POST', items, { body: { data: { title: 'Untagged soup' } } })
    for (const change of [{ description: 'a' }, { activated: true }, { activated: false }, { description: 'b' }]) {
      t.is((await scene.listd.api('PUT', `${items}/${item.id}`, { body: change })).status, 200)
    }
    // The last event: when it has arrived, all events before it that are sent have arrived too.
    await scene.listd.api('POST', items, { body: { data: { title: 'New soup' }, tags: ['new'] } })
    await untilTotal(calls.list, '?status=succeeded', 3)
    const received = receivedBy(webhook).map(({ body: bytes }) => {
      const { item, previous } = JSON.parse(bytes.toString()).data
      return [item.data.title, previous?.activated, item.activated]
    })
    t.deepEqual(received, [
      ['Draft soup', false, true],
      ['Draft soup', true, false],
      ['New soup', undefined, true],
    ])
  },
)

test.serial(
  'a webhook is sent the events that pass its filters, with its fixed headers, and pings with them too',
  async (t) => {
    const { scene, webhook, calls } = await oneWebhook(t)
    const body = { headers: { Authorization: 'Bearer canary-pass' }, where: { recipes: { title: 'starts:wanted' } } }
    const changed = await scene.listd.user('PUT', `/webhooks/${webhook.id}`, { body })
    t.like(changed.json, { headerNames: ['Authorization'], where: body.where })
    for (const title of ['Other soup', 'Wanted soup', 'Not wanted']) {
      await scene.listd.api('POST', '/lists/recipes/items', { body: { data: { title } } })
    }
    await untilTotal(calls.list, '?status=succeeded', 1)
    t.is((await served(calls.ping)).status, 200)
    const received = receivedBy(webhook).map(({ headers, body: bytes }) => {
      return [headers.authorization, headers['x-service-event'], JSON.parse(bytes.toString()).data.item?.data.title]
    })
    t.deepEqual(received, [
      ['Bearer canary-pass', 'item.created', 'Wanted soup'],
      ['Bearer canary-pass', 'ping', undefined],
    ])
  },
)

/** A flow that creates a recipe and emits to webhooks, and then fails unless the input is good. */
const flowDocument = (webhooks: readonly string[]) => ({
  version: 1,
  name: 'Order a soup',
  entry: { type: 'endpoint', path: 'soups' },
  nodes: [
    { id: 'keep', type: 'create-item', list: 'recipes', data: '{title: input.title}' },
    { id: 'notify', type: 'emit', webhooks, payload: '{soup: steps.keep.id, price: 12345678901234567890}' },
    { id: 'check', type: 'require', when: 'input.good', message: 'not good' },
    { id: 'answer', type: 'respond', status: 201, body: '{soup: steps.keep.id, notified: steps.notify.eventId}' },
  ],
  edges: [
    ['keep', 'notify'],
    ['notify', 'check'],
    ['check', 'answer'],
  ],
})

test.serial(
  'a called flow stores an item and emits to the webhooks that it names, and to none when it fails',
  async (t) => {
    const scene = await setSceneOn(t, base(), { webhooks: 1 })
    const { listd } = scene
    const [listening] = scene.webhooks as [SceneWebhook]
    const named = await addWebhook(scene, { path: '/named', events: [] })
    const [disabled, gone] = [
      await addWebhook(scene, { path: '/disabled' }),
      await addWebhook(scene, { path: '/gone' }),
    ]
    const all = [named, disabled, gone].map(({ id }) => id)
    const created = await listd.user('POST', '/flow-definitions', { body: { document: flowDocument(all) } })
    t.is(created.status, 201, created.text)
    const flow = { id: created.json.id, name: 'Order a soup' }
    await listd.user('PUT', `/webhooks/${disabled.id}`, { body: { activated: false } })
    await listd.user('DELETE', `/webhooks/${gone.id}`)

    const failed = await order(scene, { title: 'Ramen', good: false })
    t.like(failed, { status: 400, json: { name: 'FLOW_FAILED', details: { code: 'REQUIRE_FAILED', node: 'check' } } })
    const { status, headers, json } = await order(scene, { title: 'Minestrone', good: true })
    t.is(status, 201)
    const runId = headers.get('x-flow-run')
    // The last event is delivered last, so all events before it have arrived.
    const last = await createItem(scene)
    const changes = () => receivedBy(listening).map((request) => payloadOf(request, listening.secret))
    await until(() => changes().length === 2 && receivedBy(named).length === 1, { what: 'the deliveries' })

    const [request] = receivedBy(named) as [ReceivedRequest]
    const payload = payloadOf(request, named.secret)
    t.deepEqual(payload, verifyStandardSignature(request, named.secret))
    t.like(payload, { id: json.notified, type: 'flow.emit', data: { flow, runId, payload: { soup: json.soup } } })
    t.regex(String(request.body), /"price":12345678901234567890\}/)
    t.like(payload.data.actor, { authMode: 'flow', flowId: flow.id, runId })
    t.is(request.headers['webhook-id'], json.notified)
    t.like(changes()[0], { data: { item: { id: json.soup }, actor: { authMode: 'flow', flowId: flow.id, runId } } })
    t.like(changes()[1], { data: { item: { id: last } } })

    const emitted = [
      { webhookId: named.id },
      { webhookId: disabled.id, skipped: true },
      { webhookId: gone.id, skipped: true },
    ]
    const run = await listd.user('GET', `/flow-runs/${runId}`)
    t.deepEqual(
      run.json.emits,
      emitted.map((emit) => ({ ...emit, eventId: json.notified, node: 'notify' })),
    )
    await isLogged(t, scene, json.notified)
  },
)

const order = ({ listd }: Scene, body: unknown) => listd.api('POST', '/flows/soups', { body })

// biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
const payloadOf = (request: ReceivedRequest, secret: string): any => verifyServiceSignature(request, secret)

/** Asserts that an emitted event has one delivery, which shows the sent payload. */
async function isLogged(t: ExecutionContext, { listd }: Scene, eventId: string): Promise<void> {
  const list = async () => (await listd.user('GET', '/deliveries?event=flow.emit')).json.data
  await until(async () => (await list())[0]?.status === 'succeeded', { what: 'the outcome of the delivery' })
  const [delivery, ...others] = await list()
  t.deepEqual(others, [])
  t.like(delivery, { event: 'flow.emit', eventId, listId: null, itemId: null, attempts: 1 })
  const { json } = await listd.user('GET', `/webhooks/${delivery.webhookId}/deliveries/${delivery.id}`)
  t.like(json.payload, { id: eventId, type: 'flow.emit', data: { flow: { name: 'Order a soup' } } })
}

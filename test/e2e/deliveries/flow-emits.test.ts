import test, { type ExecutionContext } from 'ava'
import { until } from '../../support/assertions/until.ts'
import type { ReceivedRequest } from '../../support/receivers/receiver.ts'
import {
  addWebhook,
  createItem,
  receivedBy,
  type Scene,
  type SceneWebhook,
  setScene,
} from '../../support/webhooks/scene.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../../support/webhooks/verify-signature.ts'

/** Keeps a recipe and tells webhooks of it, and fails behind both unless the input is good. */
const document = (webhooks: readonly string[]) => ({
  version: 1,
  name: 'Order a soup',
  entry: { type: 'endpoint', path: 'soups' },
  nodes: [
    { id: 'keep', type: 'create-item', list: 'recipes', data: '{title: input.title}' },
    { id: 'tell', type: 'emit', webhooks, payload: '{soup: steps.keep.id, price: 12345678901234567890}' },
    { id: 'check', type: 'require', when: 'input.good', message: 'not good' },
    { id: 'answer', type: 'respond', status: 201, body: '{soup: steps.keep.id, told: steps.tell.eventId}' },
  ],
  edges: [
    ['keep', 'tell'],
    ['tell', 'check'],
    ['check', 'answer'],
  ],
})

test('a flow that is called keeps an item and emits to the webhooks that it names, and to nobody when it fails', async (t) => {
  const scene = await setScene(t)
  const { listd } = scene
  const [listening] = scene.webhooks as [SceneWebhook]
  const named = await addWebhook(scene, { path: '/named', events: [] })
  const [disabled, gone] = [await addWebhook(scene, { path: '/disabled' }), await addWebhook(scene, { path: '/gone' })]
  const all = [named, disabled, gone].map(({ id }) => id)
  const created = await listd.user('POST', '/flow-definitions', { body: { document: document(all) } })
  t.is(created.status, 201, created.text)
  const flow = { id: created.json.id, name: 'Order a soup' }
  await listd.user('PUT', `/webhooks/${disabled.id}`, { body: { activated: false } })
  await listd.user('DELETE', `/webhooks/${gone.id}`)

  const failed = await order(scene, { title: 'Ramen', good: false })
  t.like(failed, { status: 400, json: { name: 'FLOW_FAILED', details: { code: 'REQUIRE_FAILED', node: 'check' } } })
  const { status, headers, json } = await order(scene, { title: 'Minestrone', good: true })
  t.is(status, 201)
  const runId = headers.get('x-flow-run')
  // What comes last is delivered last: whatever was sent before is there.
  const last = await createItem(scene)
  const changes = () => receivedBy(listening).map((request) => payloadOf(request, listening.secret))
  await until(() => changes().length === 2 && receivedBy(named).length === 1, { what: 'the deliveries' })

  const [request] = receivedBy(named) as [ReceivedRequest]
  const payload = payloadOf(request, named.secret)
  t.deepEqual(payload, verifyStandardSignature(request, named.secret))
  t.like(payload, { id: json.told, type: 'flow.emit', data: { flow, runId, payload: { soup: json.soup } } })
  t.regex(String(request.body), /"price":12345678901234567890\}/)
  t.like(payload.data.actor, { authMode: 'flow', flowId: flow.id, runId })
  t.is(request.headers['webhook-id'], json.told)
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
    emitted.map((emit) => ({ ...emit, eventId: json.told, node: 'tell' })),
  )
  await isLogged(t, scene, json.told)
})

const order = ({ listd }: Scene, body: unknown) => listd.api('POST', '/flows/soups', { body })

// biome-ignore lint/suspicious/noExplicitAny: a test says by its assertions what it expects
const payloadOf = (request: ReceivedRequest, secret: string): any => verifyServiceSignature(request, secret)

/** What is emitted has one delivery, which shows what was sent. */
async function isLogged(t: ExecutionContext, { listd }: Scene, eventId: string): Promise<void> {
  const list = async () => (await listd.user('GET', '/deliveries?event=flow.emit')).json.data
  await until(async () => (await list())[0]?.status === 'succeeded', { what: 'the outcome of the delivery' })
  const [delivery, ...others] = await list()
  t.deepEqual(others, [])
  t.like(delivery, { event: 'flow.emit', eventId, listId: null, itemId: null, attempts: 1 })
  const { json } = await listd.user('GET', `/webhooks/${delivery.webhookId}/deliveries/${delivery.id}`)
  t.like(json.payload, { id: eventId, type: 'flow.emit', data: { flow: { name: 'Order a soup' } } })
}

import test from 'ava'
import { migrate } from '#shared/data/migrate.ts'
import { verifyWebhook } from '../../client/src/verify.ts'
import { until } from '../support/assertions/until.ts'
import { nextStepsByTable } from '../support/databases/schemas/next-version.ts'
import { withoutEtag } from '../support/http/items.ts'
import { clientOf, managerOf } from '../support/processes/clients.ts'
import { shared } from '../support/test-context/shared.ts'
import { everythingIsDelivered } from '../support/webhooks/delivered.ts'
import {
  addWebhook,
  createItems,
  receivedBy,
  type Scene,
  type SceneWebhook,
  setScene,
  setSceneOn,
} from '../support/webhooks/scene.ts'
import { verifyServiceSignature, verifyStandardSignature } from '../support/webhooks/verify-signature.ts'

const base = shared((t) => setScene(t, { webhooks: 0 }))
const types = ['item.created', 'item.updated', 'item.deleted']
/** JSON that parsing and printing would change: a number and the order of keys. */
const data = '{"title":"Soup","minutes":9007199254740993,"10":"ten","2":"two"}'

test.serial('a schema is synced, and the changes of an item reach a customer, signed', async (t) => {
  const scene = await setSceneOn(t, base(), { webhooks: 0 })
  const recipes = clientOf(scene.listd).list('recipes')
  const webhook = await addWebhook(scene, { events: types })
  const created = await scene.listd.api('POST', '/lists/recipes/items', { text: `{"data":${data}}` })
  t.is(created.status, 201)
  const [first] = await payloads(scene, webhook, 1)
  t.deepEqual(Object.keys(first), ['id', 'type', 'createdAt', 'data'])
  t.like(first.data.list, { name: 'Recipes', pathName: 'recipes' })
  t.deepEqual(first.data.item, withoutEtag(created.json))
  t.true(receivedBy(webhook)[0]?.body.includes(`"data":${data}`))
  t.like(first.data.actor, { authMode: 'token', identityId: null })

  const byUser = managerOf(scene.listd).client.list('recipes')
  const updated = await byUser.update('Soup', { data: { title: 'Stew' } })
  const [, second] = await payloads(scene, webhook, 2)
  t.deepEqual(second.data.item, withoutEtag(updated))
  t.deepEqual(second.data.previous, withoutEtag(created.json))
  t.deepEqual(second.data.actor, { authMode: 'user', tokenId: null, identityId: null })

  await recipes.delete('Stew')
  const [, , third] = await payloads(scene, webhook, 3)
  t.deepEqual(third.data.item, withoutEtag(updated))
  t.false('previous' in third.data)
  t.is(third.data.actor.tokenId, first.data.actor.tokenId)
  await t.throwsAsync(recipes.get('Stew'), { name: 'REQUESTED_ENTITY_NOT_FOUND' })

  for (const [n, request] of receivedBy(webhook).entries()) {
    const { id, type } = JSON.parse(request.body.toString())
    t.is(type, types[n])
    t.like(request.headers, { 'x-service-event': type, 'webhook-id': id, 'content-type': 'application/json' })
  }
  t.is(new Set([first.id, second.id, third.id]).size, 3)
})

test.serial('the request id of a change is in the log of its delivery', async (t) => {
  const scene = await setSceneOn(t, base())
  const { listd, receiver } = scene
  const given = { 'x-request-id': 'kitchen-42' }
  const { status, headers } = await listd.api('POST', '/lists/recipes/items', {
    body: { data: { title: 'Soup' } },
    headers: given,
  })
  t.is(status, 201)
  const requestId = headers.get('x-request-id')
  await receiver.received(1)
  const lines = () => listd.logged(`"requestId":"${requestId}"`)
  const line = (name: string) => lines().find(({ event }) => event === name)
  // A receiver may have the delivery before the gateway has written its line.
  await until(() => (line('request.completed') && line('delivery.attempted') ? true : lines()), {
    what: 'log lines of the request and of the attempt',
  })
  const [request, attempt] = [line('request.completed'), line('delivery.attempted')]
  t.like(request, { service: 'gateway', method: 'POST', route: '/lists/{list}/items', status: 201 })
  const [received] = receiver.requests
  t.like(attempt, {
    service: 'webhook-dispatcher',
    type: 'item.created',
    number: 1,
    status: 200,
    error: null,
    deliveryId: received?.headers['x-service-delivery'],
    eventId: received?.headers['webhook-id'],
  })
})

// After the other tests, because under load a statement may wait longer for a table than a service waits.
test('while the database is upgraded to the next version, services of this one keep running, and afterwards too', async (t) => {
  const scene = await setSceneOn(t, base())
  const { listd, db, webhooks } = scene
  const group = await listd.user('POST', '/identity-groups', { body: { name: 'cooks' } })
  const paths = [
    '/lists',
    '/lists/recipes',
    '/lists/recipes/items',
    '/lists/recipes/indexes',
    '/events',
    '/tokens',
    '/identity-groups',
    `/identity-groups/${group.json.id}`,
    '/identities',
    '/auth/self',
    '/auth/self/sessions',
    '/webhooks',
    `/webhooks/${webhooks[0]?.id}/deliveries`,
    '/sync-schema',
  ]
  const often = Array.from({ length: 5 }, () => paths).flat()
  const statuses = () => Promise.all(often.map(async (path) => `${(await listd.user('GET', path)).status} ${path}`))
  // All statements are prepared on the connections of this version before its tables change.
  const acknowledged = await createItems(scene, 10)
  const expected = often.map((path) => `200 ${path}`)
  t.deepEqual(await statuses(), expected)
  const [meanwhile] = await Promise.all([createItems(scene, 40), migrate(db, { steps: await nextStepsByTable() })])
  acknowledged.push(...meanwhile, ...(await createItems(scene, 10)))
  t.deepEqual(await statuses(), expected)
  t.is((await listd.user('POST', '/sync-schema', { body: { scope: 'kitchen', lists: { more: {} } } })).status, 200)
  await everythingIsDelivered(t, scene, { acknowledged })
})

/**
 * Waits for this number of requests. @returns the payloads that the webhook has received; the schemes' own libraries and the client
 * verify their signatures
 */
async function payloads({ receiver }: Scene, { secret, ...webhook }: SceneWebhook, count: number) {
  await receiver.received(count)
  return Promise.all(
    receivedBy({ secret, ...webhook }).map(async ({ headers, body, ...request }) => {
      verifyStandardSignature({ headers, body, ...request }, secret)
      const payload = Object(verifyServiceSignature({ headers, body, ...request }, secret))
      const { 'webhook-signature': _standard, ...serviceHeaders } = headers
      for (const sent of [headers, serviceHeaders]) await verifyWebhook({ secret, headers: sent, body })
      return payload
    }),
  )
}

import { until } from '../assertions/until.ts'
import type { Cast } from './cast.ts'

/** A webhook, its deliveries and a ping. */
export async function callWebhooks({ user, token, unrecorded, receiver }: Cast): Promise<void> {
  const { json: list } = await token('GET', '/lists/recipes')
  await user('POST', '/webhooks', { body: { url: 'http://receiver.example/hook', events: [] } })
  const body = { url: receiver.url, events: ['item.created'], listIds: [list.id], headers: { 'X-Site': 'kitchen' } }
  const { json: created } = await user('POST', '/webhooks', { body })
  const path = `/webhooks/${created.id}`
  await user('GET', '/webhooks')
  await user('GET', path)
  await user('PUT', path, {
    body: { description: 'Renders the site.', maxRequestsPerSecond: 20, where: { recipes: { activated: true } } },
  })
  await user('POST', `${path}/secret`)
  await user('POST', `${path}/missed/clear`)
  await callDeliveries({ user, token, unrecorded }, path)
  await callDeletions({ user, unrecorded }, created.id)
  await user('DELETE', path)
}

/** Dry runs of deletions of resources that a flow uses. */
async function callDeletions(
  { user, unrecorded }: Pick<Cast, 'user' | 'unrecorded'>,
  webhookId: string,
): Promise<void> {
  const nodes = [
    { id: 'quick', type: 'list-items', list: 'recipes', where: { minutes: "'lt:30'" } },
    { id: 'tell', type: 'emit', webhooks: [webhookId], payload: '{quick: true}' },
  ]
  const document = { version: 1, name: 'Quick recipes', entry: { type: 'endpoint', path: 'quick' }, nodes }
  const { status, text } = await unrecorded('POST', '/flow-definitions', {
    body: { document: { ...document, edges: [['quick', 'tell']] } },
  })
  if (status !== 201) throw new Error(text)
  for (const path of ['/lists/recipes/indexes/minutes', '/lists/recipes', `/webhooks/${webhookId}`])
    await user('DELETE', `${path}?dryRun=true`)
}

async function callDeliveries(
  { user, token, unrecorded }: Pick<Cast, 'user' | 'token' | 'unrecorded'>,
  path: string,
): Promise<void> {
  await token('POST', '/lists/recipes/items', { body: { data: { slug: 'soup', title: 'Soup', minutes: 40 } } })
  await succeeded(unrecorded, path)
  const { json: page } = await user('GET', `${path}/deliveries?status=succeeded`)
  const delivery = `${path}/deliveries/${page.data[0].id}`
  await user('GET', delivery)
  const { json: signed } = await user('POST', `${path}/deliveries/sign`, { body: { deliveries: [page.data[0].id] } })
  await user('POST', `${path}/verify`, { body: { headers: signed.deliveries[0].headers, body: '{}' } })
  await user('POST', `${delivery}/redeliver`)
  await succeeded(unrecorded, path)
  await user('GET', `${path}/stats`)
  await user('POST', `${path}/ping`)
  const since = '2026-03-01T00:00:00.000Z'
  await user('POST', `${path}/deliveries/redeliver`, { body: { status: 'failed', since } })
  await user('GET', '/deliveries?event=item.created&limit=1')
  await user('POST', '/deliveries/redeliver?dryRun=true', { body: { status: 'settled', responseStatus: '2xx' } })
}

/** Resolves when the webhook's only delivery has succeeded. */
async function succeeded(unrecorded: Cast['unrecorded'], path: string): Promise<void> {
  const look = async () => (await unrecorded('GET', `${path}/deliveries?status=succeeded`)).json.total === 1
  await until(look, { what: 'a delivery that has succeeded' })
}

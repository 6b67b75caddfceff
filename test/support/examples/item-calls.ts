import type { Cast } from './cast.ts'

const items = '/lists/recipes/items'
const pancakes = { slug: 'pancakes', title: 'Pancakes', minutes: 20 }

/** Items of the list `recipes`, as a whole. */
export async function callItems(cast: Cast): Promise<void> {
  const { token, user } = cast
  const headers = { 'idempotency-key': 'import-1' }
  const { headers: first } = await token('POST', items, { body: { data: pancakes, tags: ['breakfast'] }, headers })
  await token('POST', items, { body: { data: {} }, headers })
  await token('POST', items, { body: { data: pancakes } })
  await token('POST', items, { body: { data: { title: 1 } } })
  const waffles = { op: 'create', data: { slug: 'waffles', title: 'Waffles', minutes: 30 } }
  const rename = { op: 'update', item: 'pancakes', tags: ['breakfast', 'quick'] }
  await token('POST', `${items}/batch`, { body: { operations: [waffles, rename] } })
  await token('GET', `${items}?order=minutes&direction=asc&limit=2&includeData=true`)
  await token('GET', `${items}/pancakes`)
  const { json: changed } = await token('GET', `${items}/pancakes`)
  const ifMatch = { 'if-match': changed.etag }
  await token('PUT', `${items}/pancakes`, { body: { description: 'For two.' }, headers: ifMatch })
  await token('PUT', `${items}/pancakes`, { body: { tags: [] }, headers: { 'if-match': first.get('etag') ?? '' } })
  await token('GET', `${items}?slug=waffles`)
  await token('GET', '/lists/recipes/search?query=pancakes')
  await token('GET', `${items}/pancakes?version=9.0.0`)
  await callHistory(cast, changed.id)
  await callFlags({ token, user })
  const where = { tagged: 'breakfast' }
  const permissions = [{ mode: 'allow', action: 'view', resourceType: 'item', listIds: ['recipes'], where }]
  await user('POST', '/lists/recipes/visible-items', { body: { permissions } })
}

/** An item is deleted and restored. */
async function callHistory({ token }: Cast, id: string): Promise<void> {
  const events = `${items}/${id}/events`
  const { json: page } = await token('GET', `${events}?limit=2`)
  await token('GET', `${events}/${page.data[0].id}`)
  await token('GET', `${items}/${id}/stats?days=1`)
  await token('DELETE', `${items}/pancakes`)
  await token('POST', `${events}/${page.data[0].id}/restore`)
  await token('POST', `${events}/${page.data[0].id}/restore`)
}

async function callFlags({ token, user }: Pick<Cast, 'token' | 'user'>): Promise<void> {
  await user('PUT', `${items}/waffles`, { body: { locked: true } })
  await token('PUT', `${items}/waffles`, { body: { tags: [] } })
  await user('PUT', `${items}/waffles`, { body: { locked: false, readonly: true } })
  await token('DELETE', `${items}/waffles`)
  await user('PUT', `${items}/waffles`, { body: { readonly: false } })
}

/** Parts of an item's data. */
export async function callItemData({ token }: Cast): Promise<void> {
  const data = `${items}/pancakes/data`
  await token('GET', `${items}/data/title?limit=2&order=createdAt&direction=asc`)
  await token('GET', `${data}/title`)
  await token('PUT', `${data}/title`, { body: 'Thin pancakes' })
  await token('POST', `${data}/`, { body: { ingredients: ['flour', 'milk', 'eggs'] } })
  const patch = [
    { op: 'test', path: '/minutes', value: 20 },
    { op: 'replace', path: '/minutes', value: 25 },
    { op: 'add', path: '/ingredients/-', value: 'salt' },
  ]
  await token('PATCH', `${data}/`, { body: patch })
  await token('PATCH', `${data}/`, { body: patch })
  await token('DELETE', `${data}/ingredients/3`)
  await token('GET', `${data}/photo`)
}

import { until } from '../assertions/until.ts'
import type { Cast } from './cast.ts'

const schema = {
  type: 'object',
  required: ['title'],
  properties: { title: { type: 'string' }, minutes: { type: 'number' } },
}

/** Lists, indexes and schema sync; the list `recipes` stays, with its indexes. */
export async function callLists({ token }: Cast): Promise<void> {
  await token('POST', '/lists', { body: { name: 'Recipes', tags: ['food'], schema } })
  await token('POST', '/lists', { body: { name: 'Recipes' } })
  await token('GET', '/lists?tagged=food')
  await token('GET', '/lists/recipes')
  await token('PUT', '/lists/recipes', { body: { description: 'What we cook.' } })
  await token('POST', '/lists', { body: { name: '', pinned: 'yes' } })
  await token('POST', '/lists', { text: '{"name":' })
  await token('GET', '/lists/nothing')
  await token('POST', '/lists', { body: { pathName: 'archive', readonly: true } })
  await token('DELETE', '/lists/archive')
  await token('PUT', '/lists/archive', { body: { readonly: false } })
  await token('DELETE', '/lists/archive')
}

export async function callIndexes({ token }: Cast): Promise<void> {
  const path = '/lists/recipes/indexes'
  await token('POST', path, { body: { name: 'Slug', pointer: '/slug', alias: true } })
  const minutes = { name: 'Minutes', pointer: '/minutes', valueType: 'number', sorting: true }
  await token('POST', path, { body: minutes })
  await token('GET', `${path}?limit=2`)
  await token('GET', `${path}/minutes`)
  await token('PUT', `${path}/minutes`, { body: { filtering: true } })
  await token('POST', path, { body: { name: 'Title', pointer: '/title' } })
  await token('DELETE', `${path}/title`)
  await token('POST', path, { body: { name: 'Words', pointer: '/title', searching: true } })
}

/** The dry run of an index over the items of `recipes`, and one whose build fails at first. */
export async function callIndexBuilds({ token, unrecorded }: Cast): Promise<void> {
  const byTitle = { name: 'Title', pointer: '/title', filtering: true }
  await token('POST', '/lists/recipes/indexes?dryRun=true', { body: byTitle })
  await token('POST', '/lists', { body: { pathName: 'menu' } })
  const dish = { data: { name: 'soup' } }
  await token('POST', '/lists/menu/items', { body: dish })
  const { json: second } = await token('POST', '/lists/menu/items', { body: dish })
  await token('POST', '/lists/menu/indexes', { body: { name: 'Name', pointer: '/name', alias: true } })
  const look = async () => (await unrecorded('GET', '/lists/menu/indexes/name')).json.buildStatus === 'failed'
  await until(look, { what: 'a build that fails' })
  await token('PUT', `/lists/menu/items/${second.id}`, { body: { data: { name: 'salad' } } })
  await token('POST', '/lists/menu/indexes/name/rebuild')
}

export async function callSync({ token }: Cast): Promise<void> {
  const document = {
    scope: 'cookbook',
    lists: { drinks: { name: 'Drinks', indexes: { slug: { pointer: '/slug', alias: true } } } },
  }
  await token('POST', '/sync-schema', { body: document })
  await token('POST', '/sync-schema', { body: { ...document, scope: 'bar' } })
  await token('POST', `/sync-schema?planHash=${'0'.repeat(64)}`, { body: { scope: 'cookbook', lists: {} } })
  await token('GET', '/sync-schema?scope=cookbook')
  await token('POST', '/sync-schema/move', { body: { lists: ['drinks'], scope: 'bar' } })
  await token('POST', '/sync-schema/move', { body: { lists: ['nothing'], scope: 'bar' } })
}

/** The event logs of a list and an index, and that of the account. */
export async function callEvents({ token, user }: Cast): Promise<void> {
  for (const path of ['/lists/recipes', '/lists/recipes/indexes/slug']) {
    const { json } = await token('GET', `${path}/events?limit=1`)
    await token('GET', `${path}/events/${json.data[0].id}`)
    await token('GET', `${path}/stats?days=1`)
  }
  await user('GET', '/events?stream=list&limit=2')
}

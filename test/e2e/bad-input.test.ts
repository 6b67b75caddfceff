import test from 'ava'
import type { Row } from '#shared/data/database.ts'
import { play, type Scenario } from '../support/http/scenario.ts'
import { everythingIsDelivered } from '../support/webhooks/delivered.ts'
import { createItem, type Scene, setScene } from '../support/webhooks/scene.ts'

const json = { 'content-type': 'application/json' }
const items = '/lists/recipes/items'
const unknownId = '01a1f7a6-407b-7683-af57-7f1ccbb62d05'
const mebibyte = 1024 * 1024

test('what a caller gets wrong is answered with an error of the contract, all of it at once, and nothing is written', async (t) => {
  const scene = await setScene(t)
  await everythingIsDelivered(t, scene, { acknowledged: [await createItem(scene)] })
  const { address, credentials } = scene.listd
  const port = Number(new URL(address).port)
  const before = await rowCounts(scene)
  for (const scenario of scenarios(credentials)) await play(t, port, scenario)
  t.deepEqual(await rowCounts(scene), before)
})

function scenarios({ token, session }: { token: string; session: string }): Scenario[] {
  const byToken = { 'x-api-token': token }
  const byUser = { authorization: `Bearer ${session}` }
  const create = { method: 'POST', path: items, headers: byToken }
  const createText = { ...create, headers: { ...byToken, ...json } }
  const sync = { method: 'POST', path: '/sync-schema', headers: byToken }
  const hook = { method: 'POST', path: '/webhooks', headers: byUser }
  const invalid = '400 VALIDATION_FAILED'
  const unknownCaller = '401 USER_NOT_AUTHENTICATED'
  return [
    // Unknown properties and wrong types, every error of a body at once.
    {
      ...create,
      body: { data: { title: 'a' }, tags: 'soup', readonly: 'no', colour: 'red', version: 'one' },
      is: invalid,
      errors: ['colour', 'readonly', 'tags', 'version'],
    },
    { ...create, body: { data: { title: 1 } }, is: '400 ITEM_SCHEMA_INVALID', errors: ['data.title'] },
    { ...hook, body: { url: 7, events: ['item.eaten'], color: 1 }, is: invalid, errors: ['color', 'events.0', 'url'] },
    {
      ...sync,
      body: {
        scope: 'a b',
        lists: { 'no way': {}, recipes: { readonly: 1, indexes: { x: { valueType: 'text' } } } },
      },
      is: invalid,
      errors: ['lists.no way', 'lists.recipes.indexes.x.valueType', 'lists.recipes.readonly', 'scope'],
    },
    { ...create, path: `${items}/${unknownId}`, method: 'PUT', body: {}, is: invalid },
    { ...create, is: invalid },
    // What is no JSON, or no JSON that means one thing.
    { ...createText, body: '{"data":', is: '400 MALFORMED_JSON' },
    { ...createText, body: '{"data":{"title":"a","title":"b"}}', is: '400 MALFORMED_JSON' },
    { ...createText, body: '{"data":{"title":"\\ud800"}}', is: '400 MALFORMED_JSON' },
    { ...createText, body: Buffer.from([0x7b, 0xff, 0x7d]), is: '400 MALFORMED_JSON' },
    { ...createText, body: `{"data":${'['.repeat(300)}${']'.repeat(300)}}`, is: '400 MALFORMED_JSON' },
    { ...create, headers: { ...byToken, 'content-type': 'text/plain' }, body: '{}', is: '415 UNSUPPORTED_MEDIA_TYPE' },
    // More than fits.
    { ...createText, body: `{"data":{"title":"${'x'.repeat(2 * mebibyte)}"}}`, is: '413 PAYLOAD_TOO_LARGE' },
    {
      ...hook,
      headers: { ...byUser, ...json },
      body: `{"description":"${'x'.repeat(mebibyte)}"}`,
      is: '413 PAYLOAD_TOO_LARGE',
    },
    // Nobody there.
    { path: '/nowhere', headers: byToken, is: '404 ROUTE_NOT_FOUND' },
    { path: '/sync-schema', headers: byToken, method: 'PATCH', is: '405 METHOD_NOT_ALLOWED' },
    { path: `/lists/none/items/${unknownId}`, headers: byToken, is: '404 REQUESTED_ENTITY_NOT_FOUND' },
    { path: `${items}/${unknownId}`, headers: byToken, method: 'DELETE', is: '404 REQUESTED_ENTITY_NOT_FOUND' },
    // Missing, malformed, doubled and contradicting credentials, and the wrong mode.
    { ...create, headers: {}, body: { data: { title: 'a' } }, is: unknownCaller },
    { ...create, headers: { 'x-api-token': 'listd_api_nonsense' }, body: { data: { title: 'a' } }, is: unknownCaller },
    { ...create, headers: { 'x-api-token': `${token}, ${token}` }, body: { data: { title: 'a' } }, is: unknownCaller },
    {
      ...create,
      headers: ['x-api-token', token, 'x-api-token', token],
      body: { data: { title: 'a' } },
      is: unknownCaller,
    },
    { ...create, headers: { ...byToken, ...byUser }, body: { data: { title: 'a' } }, is: unknownCaller },
    {
      ...create,
      path: `${items}?x-api-token=${token}`,
      headers: {},
      body: { data: { title: 'a' } },
      is: unknownCaller,
    },
    { ...hook, headers: {}, body: {}, is: unknownCaller },
    { ...hook, headers: byToken, body: { url: 'https://example.com/', events: [] }, is: '403 USER_MODE_REQUIRED' },
    // Urls that no webhook may have.
    {
      ...hook,
      body: { url: 'http://127.0.0.1/', events: [] },
      is: '422 WEBHOOK_URL_REFUSED',
      contains: { details: { reason: 'not-https' } },
    },
    {
      ...hook,
      body: { url: 'https://10.0.0.1/', events: [] },
      is: '422 WEBHOOK_URL_REFUSED',
      contains: { details: { reason: 'private-address' } },
    },
    {
      ...hook,
      body: { url: 'https://127.0.0.1:1025/', events: [] },
      is: '422 WEBHOOK_URL_REFUSED',
      contains: { details: { reason: 'unreachable' } },
    },
    {
      ...hook,
      body: { url: 'not a url', events: [] },
      is: '422 WEBHOOK_URL_REFUSED',
      contains: { details: { reason: 'invalid' } },
    },
    // A document that another scope manages.
    {
      ...sync,
      body: { scope: 'other', lists: { recipes: { name: 'Mine' } } },
      is: '422 SCHEMA_SYNC_SCOPE_CONFLICT',
      contains: { applied: false },
    },
  ]
}

/** Rows of every table that a request may write to; a login attempt or the last use of a token is none of them. */
async function rowCounts({ db }: Scene): Promise<Row | undefined> {
  const tables = ['lists', 'indexes', 'items', 'index_values', 'events', 'outbox', 'webhooks', 'deliveries', 'tokens']
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`)
  return db.get(`select ${counts.join(', ')}, (select max(config_version) from lists) as version`)
}

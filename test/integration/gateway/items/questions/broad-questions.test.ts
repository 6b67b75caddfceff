import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { addManyItems } from '../../../../support/databases/contents/many-items.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { call } from '../../../../support/http/client.ts'
import { startGateway } from '../../../../support/http/gateway.ts'

const items = '/lists/recipes/items'

test('what no index serves is answered bit by bit by cursor, and refused by name by number', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const { accountId, user, token } = await makeAccount(deps.db)
  const indexes = [{ pathName: 'title', pointer: '/title', filtering: true, sorting: true }]
  const listId = await addList(deps.db, accountId, { indexes })
  const [index] = await deps.db.all<{ values_id: string }>('select values_id from indexes')
  const keyOf = (n: number) => (n <= 20 ? 'pancakes' : 'soup')
  await addManyItems(deps.db, { accountId, listId, count: 21_000, valuesId: index?.values_id ?? '', keyOf })
  const ask = (query: string, headers = user) => call(port, { path: `${items}?${query}`, headers })

  const first = await ask('title=cake&after=&limit=3')
  t.like(first.json, { data: [], examined: 20_000 })
  const second = await ask(`title=cake&after=${first.json?.next}&limit=3`)
  t.is(Object(second.json).data.length, 3)
  t.false('examined' in Object(second.json))

  const refused = await ask('title=cake&page=1')
  t.is(refused.status, 400)
  t.like(refused.json, { name: 'QUESTION_TOO_BROAD', details: { examined: 20_000, parameter: 'title' } })
  t.regex(String(refused.json?.message), /after=.*starts:/)
  t.is((await ask('title=eq:pancakes')).json?.total, 20)

  // Whoever does not see every item learns neither how many were examined, nor what the cursor ends on.
  const [hidden] = await deps.db.all<{ id: string }>('select min(id) as id from items')
  const some = await token([
    { mode: 'allow', action: '*' },
    { mode: 'block', action: 'view', resourceType: 'item', itemIds: [hidden?.id ?? ''] },
  ])
  const sealed = await ask('title=cake&after=', some)
  t.deepEqual(Object.keys(sealed.json ?? {}).sort(), ['data', 'limit', 'next'])
  t.notRegex(Buffer.from(String(sealed.json?.next), 'base64url').toString(), /[0-9a-f]{8}-[0-9a-f]{4}/)
  t.is((await ask(`title=cake&after=${sealed.json?.next}`, some)).status, 200)
  t.is((await ask(`title=cake&after=${first.json?.next}`, some)).status, 400)
})

test('an item is created at the time of its id', async (t) => {
  const { port, deps } = await startGateway(t, { routes: itemRoutes })
  const { accountId, user } = await makeAccount(deps.db)
  await addList(deps.db, accountId)
  const { json } = await call(port, { method: 'POST', path: items, headers: user, body: {} })
  t.is(Date.parse(String(json?.createdAt)), timeOfId(String(json?.id)))
})

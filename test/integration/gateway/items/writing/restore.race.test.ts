import test from 'ava'
import { itemRoutes } from '#services/gateway/resources/items/routes.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { makeAccount } from '../../../../support/http/callers.ts'
import { type Call, call } from '../../../../support/http/client.ts'
import { sharedSettings, startGateway } from '../../../../support/http/gateway.ts'
import type { Teardown } from '../../../../support/test-context/teardown.ts'

const items = '/lists/recipes/items'

/** Two gateways on one database, which receive requests in turn. */
async function world(t: Teardown) {
  const first = await startGateway(t, { routes: itemRoutes })
  const second = await startGateway(t, { routes: itemRoutes, env: sharedSettings(first.deps.config) })
  const { db } = first.deps
  const account = await makeAccount(db)
  await addList(db, account.accountId)
  const ports = [first.port, second.port]
  const ask = (request: Call, n = 0) => call(ports[n % 2] ?? 0, { headers: account.user, ...request })
  const created = await ask({ method: 'POST', path: items, body: { data: 'first' } })
  const id = String(created.json?.id)
  const [event] = await db.all<{ id: string }>('select id from events where model_id = ?', [id])
  const restore = (n: number) => ask({ method: 'POST', path: `${items}/${id}/events/${event?.id}/restore` }, n)
  const revisions = async () =>
    (
      await db.all<{ revision: number }>('select revision from events where model_id = ? order by created_at, id', [id])
    ).map(({ revision }) => revision)
  return { ask, item: `${items}/${id}`, restore, revisions, db }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n + 1)

test('of concurrent restores of a deleted item exactly one creates it again', async (t) => {
  const { ask, item, restore, revisions, db } = await world(t)
  await ask({ method: 'DELETE', path: item })
  const replies = await Promise.all(upTo(12).map(restore))
  t.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array(11).fill(409)])
  t.deepEqual(await revisions(), [1, 2, 3])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
})

test('restores, updates and deletions of one item are applied one after the other', async (t) => {
  const { ask, item, restore, revisions, db } = await world(t)
  const changes = upTo(24).map((n) => {
    if (n % 3 === 0) return restore(n)
    return n % 8 === 1
      ? ask({ method: 'DELETE', path: item }, n)
      : ask({ method: 'PUT', path: item, body: { data: n } }, n)
  })
  const statuses = (await Promise.all(changes)).map(({ status }) => status)
  t.deepEqual(
    statuses.filter((status) => ![200, 404, 409, 503].includes(status)),
    [],
  )
  const done = statuses.filter((status) => status === 200).length
  t.deepEqual(await revisions(), upTo(done + 1))
  const row = await db.get<{ n: number }>('select item_count as n from lists')
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, row?.n)
})

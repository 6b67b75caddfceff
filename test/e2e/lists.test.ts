import test from 'ava'
import { until } from '../support/assertions/until.ts'
import { addManyItems } from '../support/databases/contents/many-items.ts'
import { anotherConnection } from '../support/databases/database.ts'
import { testListd } from '../support/processes/listd.ts'

test('a list is deleted at once, and its content is purged even if the gateway is killed repeatedly', async (t) => {
  const listd = await testListd(t)
  const db = await anotherConnection(t, listd.dataDir, { readers: 1 })
  const lists: { id: string; pathName: string }[] = []
  for (const pathName of ['gone', 'kept']) {
    const { json } = await listd.api('POST', '/lists', { body: { pathName } })
    lists.push(json)
    const count = pathName === 'gone' ? 20_000 : 1_000
    const account = await db.get<{ id: string }>('select account_id as id from lists where id = ?', [json.id])
    await addManyItems(db, {
      accountId: account?.id ?? '',
      listId: json.id,
      count,
      dataLength: 500,
      tag: 'red',
    })
  }
  const [gone, kept] = lists
  const left = async () =>
    (await db.get<{ n: number }>('select count(*) as n from items where list_id = ?', [gone?.id]))?.n ?? 0

  t.is((await listd.api('DELETE', '/lists/gone')).status, 204)
  t.is((await listd.api('GET', '/lists/gone/items')).status, 404)
  t.is((await listd.api('POST', '/lists', { body: { pathName: 'gone' } })).status, 201)
  t.is((await listd.api('GET', '/lists/gone/items')).json.total, 0)

  for (let kills = 0; kills < 2; kills++) {
    const before = await left()
    await until(async () => (await left()) < before, { withinMs: 60_000, what: 'the purge to continue' })
    t.true((await left()) > 0)
    const gateway = listd.pidOf('gateway')
    listd.signal('gateway', 'SIGKILL')
    await listd.replaced('gateway', gateway)
    t.is((await listd.api('GET', '/lists/kept/items')).json.total, 1_000)
  }
  const purged = async () => (await db.all('select * from list_purges')).length === 0 || `${await left()} items left`
  await until(purged, { what: 'the purge to end', withinMs: 120_000 })
  t.is(await left(), 0)
  const strays = (id = '') =>
    db.get(
      `select (select count(*) from index_values where index_id = ?) + (select count(*) from item_tags where list_id = ?) as n`,
      [id, id],
    )
  t.deepEqual(await strays(gone?.id), { n: 0 })
  t.deepEqual(await strays(kept?.id), { n: 2_000 })
  t.is((await db.all("select id from events where stream = 'item'")).length, 0)
})

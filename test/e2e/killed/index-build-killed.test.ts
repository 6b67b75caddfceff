import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { expectedValues, indexWorkOf, storeItems, valuesOf } from '../../support/databases/contents/indexed-items.ts'
import { anotherConnection } from '../../support/databases/database.ts'
import { testListd } from '../../support/processes/listd.ts'

const count = 6_000

test('a gateway killed during a build: the next one continues, and the index has the values of all items', async (t) => {
  const listd = await testListd(t)
  const db = await anotherConnection(t, listd.dataDir)
  const list = (await listd.api('POST', '/lists', { body: { pathName: 'recipes' } })).json
  const row = await db.get<{ account_id: string }>('select account_id from lists where id = ?', [list.id])
  const at = { accountId: row?.account_id ?? '', listId: list.id }
  await storeItems(
    db,
    at,
    Array.from({ length: count }, (_, n) => ({ slug: `Soup-${n}` })),
  )

  const created = await listd.api('POST', '/lists/recipes/indexes', {
    body: { pathName: 'slug', pointer: '/slug', alias: true },
  })
  t.like(created, { status: 201, json: { buildStatus: 'building' } })
  const done = async () => Number((await db.get('select done from index_builds'))?.done ?? count)
  await until(async () => (await done()) > 0, { what: 'the first batch' })
  const gateway = listd.pidOf('gateway')
  listd.signal('gateway', 'SIGKILL')
  const doneBefore = await done()
  t.true(doneBefore < count, `the build was killed after ${doneBefore} items`)

  await listd.replaced('gateway', gateway)
  await until(
    async () => {
      const { json } = await listd.api('GET', '/lists/recipes/indexes/slug')
      return json.buildStatus === 'ready' || json
    },
    { what: 'the end of the build' },
  )
  const values = await valuesOf(db, created.json.id)
  t.is(values.length, count)
  t.deepEqual(values, await expectedValues(db, created.json.id))
  t.deepEqual(await indexWorkOf(db), { builds: 0, purges: 0, values: 0 })
  t.is((await db.all("select id from events where type = 'index-built'")).length, 1)
  const found = await listd.api('GET', `/lists/recipes/items/Soup-${count - 1}`)
  t.like(found, { status: 200, json: { data: { slug: `Soup-${count - 1}` } } })
})

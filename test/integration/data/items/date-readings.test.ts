import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { indexTable } from '#shared/data/lists/columns.ts'
import { rereadDates } from '#shared/data/migrations/034-date-readings.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { numberKey } from '#shared/domain/item/index-key.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('an upgrade reads dates again: leap seconds and long fractions are dates, times in zones that do not exist are not', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const make = (pathName: string, valueType: 'date' | 'string') =>
    newIndex({ pathName, pointer: '/day', valueType, filtering: true }, { ...at, at: 0, id: newId() })
  const [days, texts] = [make('day', 'date'), make('text', 'string')]
  await db.transaction((tx) => insertRows(tx, indexTable.rows([days, texts])))
  const values = [
    '2016-12-31T23:59:60Z',
    '2026-03-01T10:00:00+24:00',
    `2026-03-01T10:00:00.${'5'.repeat(100)}Z`,
    '2026-03-01T10:00:00Z',
    ['2026-03-01T10:00:00-25:00', '2016-12-31T23:59:60Z', '2026-03-02'],
    'soon',
  ]
  const ids = await storeItems(
    db,
    at,
    values.map((day) => ({ day })),
  )
  // Values as the previous version left them. A wrong key remains where a date is not read again.
  for (const { valuesId } of [days, texts]) {
    await db.run(
      `insert into index_values (index_id, item_id, activated, readonly, order_key, filter_key, created_at)
       select ?, id, activated, readonly, 'before', null, created_at from items`,
      [valuesId],
    )
  }
  for (let after: string | null = null, steps = 0; after !== null || steps === 0; steps++) {
    after = (await db.transaction((tx) => rereadDates(tx, { after, limit: 2 }))).after
    t.true(steps < 30)
  }
  const rows = await db.all<{ item_id: string; order_key: string | null }>(
    `select item_id, order_key, -1 as n from index_values where index_id = ?
     union all select item_id, order_key, n from index_elements where index_id = ? order by item_id, n`,
    [days.valuesId, days.valuesId],
  )
  const leap = numberKey(Date.parse('2016-12-31T23:59:59.999Z'))
  t.deepEqual(
    ids.map((id) => rows.filter(({ item_id }) => item_id === id).map(({ order_key }) => order_key)),
    [
      [leap],
      [null],
      [numberKey(Date.parse('2026-03-01T10:00:00.555Z'))],
      ['before'],
      [leap, numberKey(Date.parse('2026-03-02'))],
      ['before'],
    ],
  )
  const other = await db.all('select distinct order_key from index_values where index_id = ?', [texts.valuesId])
  t.deepEqual(other, [{ order_key: 'before' }])
})

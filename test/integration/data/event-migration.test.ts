import test from 'ava'
import { openDatabase } from '#shared/data/database.ts'
import { readThingLog } from '#shared/data/event-log.ts'
import { up as first } from '#shared/data/migrations/001-first.ts'
import { up as events } from '#shared/data/migrations/006-events.ts'
import { wrongEventCounts } from '../../support/events.ts'
import { testFolder } from '../../support/folder.ts'

test('entries from before the log was counted and numbered are both afterwards', async (t) => {
  const db = await openDatabase({ url: '', dataDir: await testFolder(t) })
  t.teardown(() => db.close())
  for (const { sql, bindings } of first(db.build).toSQL()) await db.run(sql, bindings)
  const row = { account_id: 'account-1', stream: 'item', actor: 'null', created_at: 1_000 }
  for (const [id, type, model_id] of [
    ['event-1', 'item-created', 'item-1'],
    ['event-2', 'item-created', 'item-2'],
    ['event-3', 'item-updated', 'item-1'],
    ['event-4', 'item-deleted', 'item-1'],
  ]) {
    await db.run(db.build('events').insert({ ...row, id, type, model_id }))
  }
  const list = { id: 'event-5', stream: 'list', type: 'list-created', model_id: 'list-1' }
  await db.run(db.build('events').insert({ ...row, ...list, account_id: 'account-2' }))
  for (const { sql, bindings } of events(db.build).toSQL()) await db.run(sql, bindings)

  t.deepEqual(await wrongEventCounts(db), [])
  const rows = await db.all<{ revision: number | null }>('select revision from events order by id')
  t.deepEqual(
    rows.map(({ revision }) => revision),
    [1, 1, 2, 3, null],
  )
  const request = { page: 1, limit: 20, order: 'createdAt', direction: 'desc', filters: '{}' } as const
  const thing = { accountId: 'account-1', stream: 'item', modelId: 'item-1' } as const
  const page = await readThingLog(db, thing, { request, filters: {}, snapshots: false })
  t.like(page, { total: 3 })
})

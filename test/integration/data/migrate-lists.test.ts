import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import test from 'ava'
import { openDatabase } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { up } from '#shared/data/migrations/001-first.ts'
import { createSettings, putSetting } from '#shared/data/settings.ts'
import { makeList } from '../../support/rows.ts'

test('lists and items from before get the keys, counters and tags that pages are read by', async (t) => {
  const dataDir = await mkdtemp(`${tmpdir()}/listd-test-`)
  const db = await openDatabase({ url: '', dataDir })
  t.teardown(async () => {
    await db.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  await createSettings(db)
  for (const { sql, bindings } of up(db.build).toSQL()) await db.run(sql, bindings)
  await putSetting(db, 'version', '1')
  await putSetting(db, 'compatibleFrom', '1')

  const { accountId, listId } = await makeList(db)
  await db.run('update lists set name = ?, item_count = 2 where id = ?', ['Straße', listId])
  const item = { account_id: accountId, list_id: listId, created_at: 5, updated_at: 6, data: 'null', description: '' }
  const flags = { version: '1.0.0', revision: 1, locked: 0, size: 4 }
  for (const [id, activated, tags] of [
    ['a', 1, '["red","hot"]'],
    ['b', 0, '["red"]'],
  ] as const) {
    // biome-ignore format: short
    await db.run(db.build('items').insert({ id, ...item, ...flags, readonly: activated, activated, tags }))
  }

  await migrate(db)
  t.like(await db.get('select name_key, item_count, deactivated_count from lists'), {
    ...{ name_key: 'strasse', item_count: 2, deactivated_count: 1 },
  })
  t.deepEqual(await db.all('select * from item_tags order by item_id, tag'), [
    { item_id: 'a', tag: 'hot', list_id: listId, activated: 1, readonly: 1, created_at: 5 },
    { item_id: 'a', tag: 'red', list_id: listId, activated: 1, readonly: 1, created_at: 5 },
    { item_id: 'b', tag: 'red', list_id: listId, activated: 0, readonly: 0, created_at: 5 },
  ])
})

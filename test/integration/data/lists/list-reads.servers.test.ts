import test from 'ava'
import { countListsByScope, exportedLists, findExported } from '#shared/data/lists/exported-lists.ts'
import { type ListSet, readListPage } from '#shared/data/lists/list-page.ts'
import { readSyncState } from '#shared/data/lists/schema-sync.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { makeBareAccount, manyLists, sync } from '../../../support/sync/sync.ts'

test('what asks for few of many lists reads those: by tag, an export of one, the state that a plan needs', async (t) => {
  const { db: real } = await testDatabase(t)
  const accountId = await makeBareAccount(real)
  await sync(real, accountId, manyLists(1_500, 0, 'asc'))
  await sync(real, accountId, { scope: 'app', lists: { one: { tags: ['rare'] }, two: {} } })
  await analyze(real, 'lists', 'list_tags', 'indexes')
  const set: ListSet = { accountId, visible: { rest: true, except: [] }, activatedOnly: true, filters: {} }
  const rare = { ...set, filters: { tagged: [['rare']] } }
  async function readsFew(what: string, read: (db: typeof real) => Promise<number>, found: number): Promise<void> {
    const { db, rowsRead } = countRowsRead(real)
    t.is(await read(db), found, what)
    atMost(t, rowsRead(), 100, `rows read for ${what}`)
  }
  for (const order of ['createdAt', 'itemCount'] as const) {
    const request = { limit: 20, direction: 'desc', filters: '', order, page: 1 } as const
    await readsFew(`tagged by ${order}`, async (db) => (await readListPage(db, rare, request)).data.length, 1)
  }
  await readsFew(
    'an export of one',
    async (db) => {
      const { lists, missing } = await findExported(db, set, ['one', 'gone'])
      await countListsByScope(db, lists)
      return missing.length + (await Array.fromAsync(exportedLists(db, lists, 'app'))).length
    },
    2,
  )
  const prune = { accountId, pathKeys: ['two'], managedBy: 'app' }
  await readsFew('a plan with prune', async (db) => (await readSyncState(db, prune)).size, 2)
})

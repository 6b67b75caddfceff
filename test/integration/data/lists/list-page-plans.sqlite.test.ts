import test from 'ava'
import type { ListOrder } from '#shared/data/lists/columns.ts'
import { countListsByScope, countListsOfScope, exportedLists, findExported } from '#shared/data/lists/exported-lists.ts'
import { type ListPageRequest, type ListSet, readListPage } from '#shared/data/lists/list-page.ts'
import { readSyncState } from '#shared/data/lists/schema-sync.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'

const request = (order: ListOrder, position: { page: number } | { after: string }): ListPageRequest => ({
  limit: 2,
  order,
  direction: 'desc',
  filters: '',
  ...position,
})

const sets: [claim: string, set: Omit<ListSet, 'accountId'>][] = [
  ['all lists', { visible: { rest: true, except: [] }, activatedOnly: false, filters: {} }],
  ['what a token sees', { visible: { rest: true, except: ['x'] }, activatedOnly: true, filters: {} }],
  ['pinned lists', { visible: { rest: true, except: [] }, activatedOnly: true, filters: { pinned: true } }],
]

for (const [claim, set] of sets) {
  test(`a page of ${claim} by times or names is read in the order of an index`, async (t) => {
    const { db } = await testDatabase(t)
    for (const pathName of ['a', 'b', 'c']) await addList(db, 'account', { pathName })
    for (const order of ['createdAt', 'updatedAt', 'name', 'pathName'] as const) {
      const { db: watched, plans } = watchPlans(db)
      const first = await readListPage(watched, { accountId: 'account', ...set }, request(order, { after: '' }))
      const next = 'next' in first ? first.next : null
      if (next) await readListPage(watched, { accountId: 'account', ...set }, request(order, { after: next }))
      await readListPage(watched, { accountId: 'account', ...set }, request(order, { page: 1 }))
      for (const plan of plans) t.deepEqual(slowSteps(plan), [], `${order}: ${plan.text}`)
    }
  })
}

test('lists with a tag are found through the index of tags, and those of a scope through one of scopes', async (t) => {
  const { db } = await testDatabase(t)
  for (const pathName of ['a', 'b', 'c']) await addList(db, 'account', { pathName })
  const all: ListSet = { accountId: 'account', visible: { rest: true, except: [] }, activatedOnly: true, filters: {} }
  const { db: watched, plans } = watchPlans(db)
  const tagged = { ...all, filters: { tagged: [['x', 'y'], ['z']] } }
  await readListPage(watched, tagged, request('createdAt', { page: 1 }))
  const { lists } = await findExported(watched, tagged, ['a'])
  await countListsByScope(watched, lists)
  await Array.fromAsync(exportedLists(watched, lists, 'app'))
  await countListsOfScope(watched, { ...all, ids: null }, 'app')
  await readSyncState(watched, { accountId: 'account', pathKeys: ['a'], managedBy: 'app' })
  const steps = plans.flatMap((plan) => plan.steps)
  const ofLists = steps.filter((step) => /^(SEARCH|SCAN) (lists|list_tags)/.test(step))
  t.true(ofLists.length > 6)
  const served = /\((id=\?|account_id=\? AND (tag|tags_unindexed|path_key|scope)=\?.*)\)$/
  t.deepEqual(
    ofLists.filter((step) => !served.test(step)),
    [],
  )
})

test('a caller who does not see all lists gets the same ones by a walk, in the order of an index', async (t) => {
  const { db } = await testDatabase(t)
  for (const pathName of ['a', 'b', 'c', 'd', 'e']) await addList(db, 'account', { pathName })
  await db.run("update lists set pinned = 1 where path_name <> 'b'")
  await db.run("update lists set activated = 0 where path_name = 'd'")
  const sealing = { seal: (text: string) => `sealed ${text}`, open: (text: string) => text.slice('sealed '.length) }
  const [, , [, pinned] = []] = sets
  const set: ListSet = { accountId: 'account', ...pinned } as ListSet
  for (const order of ['createdAt', 'updatedAt', 'name', 'pathName'] as const) {
    const { db: watched, plans } = watchPlans(db)
    const found: string[][] = []
    for (const more of [{}, { sealing }]) {
      const names: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const page = await readListPage(watched, set, { ...request(order, { after }), ...more })
        names.push(...page.data.map(({ pathName }) => pathName))
        after = 'next' in page ? page.next : null
      }
      const { data, ...page } = await readListPage(watched, set, { ...request(order, { page: 1 }), ...more })
      found.push([...names, JSON.stringify([page, data.map(({ id }) => id)])])
    }
    t.is(found[0]?.length, 4)
    t.deepEqual(found[0], found[1])
    for (const plan of plans) t.deepEqual(slowSteps(plan), [], `${order}: ${plan.text}`)
  }
})

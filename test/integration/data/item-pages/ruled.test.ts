import test from 'ava'
import { seesState } from '#services/gateway/auth/item-states.ts'
import { visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { itemChange, makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { entriesOf, makeItem, oneOf } from '../../../support/databases/questions/random-values.ts'
import { seeded } from '../../../support/load/random-json.ts'
import { ada, bob, randomCaller, ruledList } from '../../../support/rules/random-rules.ts'

const items = 90
const callers = 230

test('what a page shows a token by rules with conditions is what they say of each item: 20,700 pairs', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const random = seeded(48)
  const committer = createCommitter(db, { announce() {} })
  const made: Item[] = []
  for (let n = 0; n < items; n++) {
    const owner = oneOf(random, [null, null, ada, bob])
    const after = { ...makeItem(at, random), identity: owner === null ? null : { id: owner, displayName: 'Somebody' } }
    await committer.commit(itemChange(at, { itemId: after.id, after, indexValues: entriesOf(after) }))
    made.push(after)
  }
  const list = ruledList(at)
  const ids = made.map(({ id }) => id)
  let [seen, asked] = [0, 0]
  for (let n = 0; n < callers; n++) {
    const caller = randomCaller(random, at, ids)
    const expected = made.filter((item) => seesState(caller, list, item)).map(({ id }) => id)
    const set = visibleItemsFor(caller, list, 'any')
    const found: string[] = []
    for (let after: string | null = ''; set && after !== null; ) {
      const options = { accountId: at.accountId, set, filtered: true, withData: false }
      const request = { limit: 40, order: 'createdAt', direction: 'desc', filters: '', after } as const
      const { page } = await readItemPage(db, options, request)
      found.push(...page.data.map(({ id }) => id))
      after = 'next' in page ? page.next : null
    }
    t.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(caller.permissions))
    seen += expected.length
    asked += Number(set?.visible.kind === 'asked')
  }
  t.true(seen > items && seen < items * callers)
  t.true(asked > callers / 3, `${asked}`)
})

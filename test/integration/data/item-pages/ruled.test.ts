import test from 'ava'
import { seesState } from '#services/gateway/auth/item-states.ts'
import { visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { ItemSet } from '#shared/data/item-pages/item-set.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { itemChange, makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { entriesOf, makeItem, oneOf } from '../../../support/databases/questions/random-values.ts'
import { seeded } from '../../../support/load/random-json.ts'
import { frequentRules, me, seenBy } from '../../../support/rules/frequent-rules.ts'
import { ada, bob, randomCaller, ruledList } from '../../../support/rules/random-rules.ts'

const items = 90
const callers = 230

test('a page for a token with conditional rules, and its total, agree with the rules for each item: 20,700 pairs', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const random = seeded(48)
  const committer = createCommitter(db, { announce() {} })
  const created: Item[] = []
  for (let n = 0; n < items; n++) {
    const owner = oneOf(random, [null, null, ada, bob])
    const after = { ...makeItem(at, random), identity: owner === null ? null : { id: owner, displayName: 'Somebody' } }
    await committer.commit(itemChange(at, { itemId: after.id, after, indexValues: entriesOf(after) }))
    created.push(after)
  }
  const list = ruledList(at)
  const ids = created.map(({ id }) => id)
  let [seen, asked] = [0, 0]
  for (let n = 0; n < callers; n++) {
    const caller = randomCaller(random, at, ids)
    const expected = created.filter((item) => seesState(caller, list, item)).map(({ id }) => id)
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
    for (const [narrowed, passes] of set ? narrowings(set) : []) {
      const options = { accountId: at.accountId, set: narrowed, filtered: true, withData: false }
      const request = { limit: 5, page: 2, order: 'createdAt', direction: 'asc', filters: '' } as const
      const { page } = await readItemPage(db, options, request)
      const total = created.filter((item) => expected.includes(item.id) && passes(item)).length
      t.like(page, { total }, JSON.stringify(caller.permissions))
      t.is(page.data.length, Math.max(0, Math.min(5, total - 5)))
    }
    seen += expected.length
    asked += Number(set?.visible.kind === 'asked')
  }
  t.true(seen > items && seen < items * callers)
  t.true(asked > callers / 3, `${asked}`)
})

/** The set without filters, by a flag, by a tag, and with activated items only, which is the default for tokens. */
function narrowings(set: ItemSet): [narrowed: ItemSet, passes: (item: Item) => boolean][] {
  return [
    [set, () => true],
    [{ ...set, readonly: true }, (item) => item.readonly],
    [{ ...set, tagged: [['red']] }, (item) => item.tags.includes('red')],
    // Only activated items, so that no draft is included.
    [{ ...set, activated: true }, (item) => item.activated],
  ]
}

test('the total of conditions in "or" counts each item once, and says when one condition alone exceeds the count limit', async (t) => {
  const { db } = await testDatabase(t)
  const [claim, where] = frequentRules.find(([name]) => name === 'published or mine') ?? []
  t.is(claim, 'published or mine')
  const at = await makeList(db)
  // Both conditions use the same index here, so an item matches at most one of them.
  await addManyItems(db, { ...at, count: 300, keyOf: (n) => ['published', me, 'draft'][n % 3] ?? null })
  const options = { accountId: at.accountId, set: seenBy(where ?? {}, at), filtered: true, withData: false }
  const request = { limit: 20, page: 1, order: 'createdAt', direction: 'desc', filters: '' } as const
  t.like((await readItemPage(db, options, request)).page, { total: 200 })
  t.false('totalIsAtLeast' in (await readItemPage(db, options, request)).page)

  const others = { ...options, set: seenBy({ or: [{ status: 'eq:draft' }, { author: 'eq:nobody' }] }, at) }
  t.like((await readItemPage(db, others, request)).page, { total: 100 })

  // Here arrays have elements in addition to the value, so half of the published items match all three conditions.
  const both = await makeList(db)
  await addManyItems(db, {
    ...both,
    count: 300,
    keyOf: (n) => ['published', 'published', 'draft', me][n % 4] ?? null,
    elementsOf: (n) => (n % 4 === 0 ? [me, 'published'] : n % 4 === 3 ? [me] : ['z']),
  })
  const orMember = { or: [{ status: 'eq:published' }, { members: 'eq:$identity.id' }, { members: 'eq:published' }] }
  for (const [readonly, total] of [
    [null, 225],
    [true, 3],
    [false, 222],
  ] as const) {
    const set = { ...seenBy(orMember, both), readonly }
    t.like((await readItemPage(db, { ...options, accountId: both.accountId, set }, request)).page, { total })
  }

  // Two conditions find few items; some of these match both, or the third condition, which finds many.
  const few = await makeList(db)
  await addManyItems(db, {
    ...few,
    count: 300,
    keyOf: (n) => (n % 5 < 3 ? 'published' : 'draft'),
    elementsOf: (n) => ['x', ...(n % 40 === 3 ? ['y'] : []), ...(n % 27 === 1 ? ['z'] : [])],
  })
  const orFew = { or: [{ members: 'eq:y' }, { status: 'eq:published' }, { members: 'eq:z' }] }
  const withFew = { ...options, accountId: few.accountId, set: seenBy(orFew, few) }
  t.like((await readItemPage(db, withFew, request)).page, { total: 192 })

  const many = await makeList(db)
  await addManyItems(db, { ...many, count: 10_050, keyOf: (n) => (n <= 10_020 ? 'published' : me) })
  const seen = { ...options, accountId: many.accountId, set: seenBy(where ?? {}, many) }
  const { page } = await readItemPage(db, seen, request)
  t.like(page, { total: 10_000, totalIsAtLeast: true })
  t.is(page.data.length, 20)
  const last = await readItemPage(db, seen, { ...request, page: 502 })
  t.is(last.page.data.length, 20)
})

import test from 'ava'
import { Conflict } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import type { ItemVisibilityFilter } from '#shared/data/item-pages/conditions/visibility.ts'
import { type ItemSet, visibleItems } from '#shared/data/item-pages/item-set.ts'
import { type ItemPageRequest, readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { CursorPage, Direction, NumberedPage } from '#shared/data/pages/page.ts'
import { renderQuery } from '#shared/data/sql/render.ts'
import type { ItemOrder } from '#shared/domain/item/filters.ts'
import { orderKey } from '#shared/domain/item/index-key.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { textKeyFilter } from '#shared/domain/item/questions/key-filter.ts'
import type { ValueFilter } from '#shared/domain/item/questions/question.ts'
import { matchesText, readTextFilter, type TextFilter } from '#shared/domain/text/filter.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { itemChange, makeList, testId, testIdAt, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

type At = { accountId: string; listId: string }
type Created = Item & { alias: string | null }

/** Small whole numbers that look random and are the same in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * sides)
  }
}

const owners = ['owner-1', 'owner-2']
const tags = ['red', 'green', 'blue']
const aliases = ['Soup', 'Salad', 'soupe', 'Straße', 'pie']

async function addOwners(db: Database, accountId: string): Promise<void> {
  for (const id of owners) {
    const stamps = { account_id: accountId, created_at: 0, updated_at: 0 }
    const names = { name: id, name_key: id, display_name: id, tags: '[]', group_id: '' }
    await db.run(db.build('identities').insert({ id, ...stamps, ...names, email_verified: 0, activated: 1 }))
  }
}

function makeItem(at: At, roll: (sides: number) => number): Created {
  const owner = [null, ...owners][roll(3)]
  const createdAt = roll(8)
  return {
    ...testItem(at, testIdAt(createdAt), 1),
    createdAt,
    updatedAt: 100 + roll(8),
    size: roll(4),
    description: 'É',
    readonly: roll(3) === 0,
    activated: roll(4) > 0,
    locked: roll(3) === 0,
    tags: tags.filter(() => roll(3) === 0),
    identity: owner ? { id: owner, displayName: owner } : null,
    alias: [null, ...aliases][roll(aliases.length + 1)] ?? null,
  }
}

/** An index value as filters on text read it. */
const aliasValue = ({ listId }: At, alias: string) => ({
  indexId: listId,
  aliasText: null,
  orderKey: orderKey(alias),
  filterKey: orderKey(alias),
})

async function fill(db: Database, at: At, count: number, seed: number): Promise<Created[]> {
  const roll = dice(seed)
  const committer = createCommitter(db, { announce() {} })
  const items = Array.from({ length: count }, () => makeItem(at, roll))
  const commits = items.map(({ alias, ...after }) =>
    committer.commit(
      itemChange(at, { itemId: after.id, after, indexValues: alias === null ? [] : [aliasValue(at, alias)] }),
    ),
  )
  await Promise.all(commits)
  return items
}

const allItems = (listId: string): ItemSet => ({
  listId,
  visible: { kind: 'all' },
  activated: null,
  readonly: null,
  tagged: [],
  ownerIds: null,
  values: [],
})

const request = (
  over: Partial<{ order: ItemOrder; direction: Direction; limit: number; page: number; after: string }>,
) => ({ limit: 20, order: 'createdAt', direction: 'desc', filters: '{}', page: 1, ...over }) as ItemPageRequest

/** Whether an item belongs to a set of this test, computed in JavaScript. */
function isIn({ set, alias }: RandomSet, item: Created): boolean {
  const { visible, activated, drafts, readonly, tagged, ownerIds } = set
  const ownerId = item.identity?.id ?? ''
  return (
    isVisible(visible, item.id, ownerId) &&
    (activated === null || item.activated === activated) &&
    (drafts === undefined || item.activated || isVisible(drafts, item.id, ownerId)) &&
    (readonly === null || item.readonly === readonly) &&
    tagged.every((group) => group.some((tag) => item.tags.includes(tag))) &&
    (ownerIds === null || ownerIds.includes(ownerId)) &&
    (alias === null || (item.alias !== null && matchesText(alias, item.alias)))
  )
}

function isVisible(visible: ItemVisibilityFilter, id: string, ownerId: string): boolean {
  if (visible.kind === 'all') return true
  if (visible.kind === 'own') return ownerId === visible.identityId
  if (visible.kind === 'asked') throw new Error('item-rules has its own tests')
  const { regardlessOfOwner, owned: own } = visible.byId
  const lets = ({ rest, except }: { rest: boolean; except: readonly string[] }) => except.includes(id) !== rest
  return lets(regardlessOfOwner) || (own !== null && ownerId === own.identityId && lets(own))
}

function inOrder(items: readonly Created[], order: ItemOrder, direction: Direction): string[] {
  const sign = direction === 'asc' ? 1 : -1
  return items
    .toSorted((a, b) => sign * (Number(a[order]) - Number(b[order]) || (a.id < b.id ? -1 : 1)))
    .map(({ id }) => id)
}

/** The filter on an alias of text, or on an alias of numbers, whose order keys differ from those of their text. */
function aliasKeys(alias: TextFilter, isText: boolean): Omit<ValueFilter, 'indexId'> {
  return isText ? textKeyFilter(alias) : { keys: null, texts: [alias] }
}

type RandomSet = { set: ItemSet; alias: TextFilter | null }

function randomSet(listId: string, items: readonly Created[], roll: (sides: number) => number): RandomSet {
  const flag = () => [null, null, true, false][roll(4)] ?? null
  const some = () => items.filter(() => roll(4) === 0).map(({ id }) => id)
  const own = [null, { identityId: 'owner-1', rest: roll(2) === 0, except: some() }][roll(2)] ?? null
  const sights: ItemVisibilityFilter[] = [
    { kind: 'all' },
    { kind: 'own', identityId: 'owner-2' },
    { kind: 'byId', byId: { regardlessOfOwner: { rest: roll(2) === 0, except: some() }, owned: own } },
  ]
  const filters = ['ou', 'eq:SOUP', 'in:strasse,pie', 'starts:s'].map(readTextFilter)
  const alias = filters[roll(8)] ?? null
  const set: ItemSet = {
    ...allItems(listId),
    visible: sights[roll(3)] ?? { kind: 'all' },
    activated: flag(),
    readonly: flag(),
    ...(roll(4) === 0 && { drafts: sights[roll(3)] ?? { kind: 'all' } }),
    tagged: [[['red']], [['red', 'blue']], [['green'], ['blue', 'red']], [['nobody']]][roll(10)] ?? [],
    ownerIds: [['owner-1'], ['owner-1', 'owner-2'], []][roll(10)] ?? null,
    values: alias ? [{ indexId: listId, ...aliasKeys(alias, roll(2) === 0) }] : [],
  }
  return { set, alias }
}

const orders: ItemOrder[] = ['createdAt', 'updatedAt', 'size', 'readonly', 'activated', 'locked']

test('every set in every order equals the same set computed in memory, by page and by cursor', async (t) => {
  const { db } = await testDatabase(t)
  const [at, other] = [await makeList(db), await makeList(db)]
  await addOwners(db, at.accountId)
  const items = await fill(db, at, 60, 7)
  await fill(db, other, 20, 8)
  const roll = dice(9)
  for (let round = 0; round < 250; round++) {
    const random = randomSet(at.listId, items, roll)
    const { set } = random
    const order = orders[roll(orders.length)] ?? 'createdAt'
    const direction = roll(2) === 0 ? 'asc' : 'desc'
    const expected = inOrder(
      items.filter((item) => isIn(random, item)),
      order,
      direction,
    )
    const what = JSON.stringify({ set, order, direction })
    const options = { accountId: at.accountId, set, filtered: roll(2) === 0, withData: false }

    const limit = 1 + roll(12)
    const page = 1 + roll(3)
    const numbered = await readItemPage(db, options, request({ order, direction, limit, page }))
    const shown = numbered.page as NumberedPage<Item>
    t.deepEqual(
      shown.data.map(({ id }) => id),
      expected.slice((page - 1) * limit, page * limit),
      what,
    )
    const seesAll = set.readonly === null && set.tagged.length === 0 && set.ownerIds === null && set.values.length === 0
    if (options.filtered || (seesAll && set.activated !== false && !set.drafts))
      t.is(shown.total, expected.length, what)

    const read: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const found = await readItemPage(db, options, {
        ...request({ order, direction, limit }),
        after,
      } as ItemPageRequest)
      const { data, next } = found.page as CursorPage<Item>
      read.push(...data.map(({ id }) => id))
      after = next
    }
    t.deepEqual(read, expected, what)
  }
})

test('the total of more than 10,000 items with a tag has the activated ones, each once, in every order', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  await addManyItems(db, { accountId, listId, count: 10_050, tag: 'all' })
  for (const table of ['items', 'item_tags'])
    await db.run(`update ${table} set activated = 0 where list_id = ? and created_at > 300`, [listId])
  for (const order of ['createdAt', 'updatedAt'] as const) {
    for (const tags of [['all'], ['all', 'other']]) {
      const set = { ...allItems(listId), activated: true, tagged: [tags] }
      const found = await readItemPage(db, { accountId, set, filtered: true, withData: false }, request({ order }))
      t.like(found.page, { total: 300 }, `${order}, ${tags}`)
      t.false('totalIsAtLeast' in found.page)
    }
  }
})

test('more than 10,000 items are not sorted: an order with an index works with filters too, any other is rejected', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  await addManyItems(db, { accountId, listId, count: 10_001, tag: 'all' })
  const set = { ...allItems(listId), activated: true }
  const whole = { accountId, set, filtered: false, withData: false }
  const tagged = { ...whole, set: { ...set, tagged: [['all']] }, filtered: true }
  for (const options of [whole, tagged]) {
    for (const order of ['size', 'readonly', 'activated', 'locked'] as const) {
      const error = await t.throwsAsync(readItemPage(db, options, request({ order })))
      t.like(error, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'order' }] } })
    }
    const found = await readItemPage(db, options, request({ order: 'updatedAt' }))
    const { data, total, totalIsAtLeast } = Object(found).page as NumberedPage<Item>
    t.deepEqual(
      data.map(({ updatedAt }) => updatedAt),
      Array.from({ length: 20 }, (_, n) => 10_001 - n),
    )
    t.deepEqual([total, totalIsAtLeast], options.filtered ? [10_000, true] : [10_001, undefined])
  }
  // One of the items is now a draft, which the caller does not see, so the rest are few enough to sort.
  for (const table of ['items', 'item_tags']) {
    const id = table === 'items' ? 'id' : 'item_id'
    await db.run(`update ${table} set activated = 0 where list_id = ? and ${id} like ?`, [listId, '%-000000000001'])
  }
  for (const options of [whole, tagged]) {
    const found = await readItemPage(db, options, request({ order: 'size' }))
    t.is((Object(found).page as NumberedPage<Item>).data.length, 20)
  }
  // One hundred items are few enough to sort.
  const few = { ...whole, set: { ...set, readonly: true }, filtered: true }
  const found = await readItemPage(db, few, request({ order: 'size' }))
  t.is((Object(found).page as NumberedPage<Item>).total, 100)
})

test('a page of a deleted list is a conflict, because what the request knows of the list is outdated', async (t) => {
  const { db } = await testDatabase(t)
  const options = { accountId: testId(), set: allItems(testId()), filtered: false, withData: false }
  await t.throwsAsync(readItemPage(db, options, request({})), { instanceOf: Conflict, message: /list/ })
})

test('without filters the total is read from the counters of the list, however many items there are', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId, listId } = await makeList(db)
  await db.run('update lists set item_count = 200000, deactivated_count = 50000 where id = ?', [listId])
  for (const [activated, expected] of [
    [null, 200_000],
    [true, 150_000],
  ] as const) {
    const options = { accountId, set: { ...allItems(listId), activated }, filtered: false, withData: false }
    t.is((Object(await readItemPage(db, options, request({}))).page as NumberedPage<Item>).total, expected)
  }
})

test('a total is counted before the settings are read that say that the index exists', async (t) => {
  const { db: real } = await testDatabase(t)
  const { accountId, listId } = await makeList(real)
  await addManyItems(real, { accountId, listId, count: 3 })
  /** Empties the index right after the list was read, as if it were deleted at that moment. */
  const all: Database['all'] = async (...query: Parameters<Database['all']>) => {
    const rows = await real.all(...query)
    const readsList = renderQuery(real.dialect, ...query).text.includes('from lists')
    if (readsList) await real.run('delete from index_values where index_id = ?', [listId])
    return rows as never
  }
  const set = { ...visibleItems(listId, { kind: 'all' }, null), values: [valueIs('x', listId)] }
  const options = { accountId, set, filtered: true, withData: false }
  const request = { limit: 2, order: 'createdAt', direction: 'asc', filters: '', page: 1 } as const
  t.like(await readItemPage({ ...real, all }, options, request), { page: { total: 3 } })
  t.like(await readItemPage(real, options, request), { page: { total: 0 } })
})

function valueIs(text: string, indexId: string): ValueFilter {
  return { indexId, ...textKeyFilter(readTextFilter(`eq:${text}`)) }
}

test('an item with several of the tags is shown once, however few rows a call examines', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const tagsOf = (n: number) => [['red', 'blue'], ['blue'], ['green', 'red', 'blue'], []][n % 4] ?? []
  const items = Array.from({ length: 40 }, (_, n) => ({
    ...testItem(at, testIdAt(n), 1),
    createdAt: n,
    tags: tagsOf(n),
  }))
  await Promise.all(items.map((after) => committer.commit(itemChange(at, { itemId: after.id, after }))))
  const ids = items.filter(({ tags }) => tags.length > 0).map(({ id }) => id)
  const set = { ...visibleItems(at.listId, { kind: 'all' }, null), tagged: [['red', 'blue']] }
  for (const direction of ['asc', 'desc'] as const)
    for (let maxExamined = 2; maxExamined <= 30; maxExamined++) {
      const options = { accountId: at.accountId, set, filtered: true, withData: false, maxExamined }
      const read: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const request: ItemPageRequest = { order: 'createdAt', direction, filters: '{}', limit: 5, after }
        const { data, next } = (await readItemPage(db, options, request)).page as CursorPage<Item>
        read.push(...data.map(({ id }) => id))
        after = next
      }
      t.deepEqual(read, direction === 'asc' ? ids : ids.toReversed(), `${direction} ${maxExamined}`)
    }
})

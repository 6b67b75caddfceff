import test from 'ava'
import { createBatchBytes } from '#services/gateway/resources/items/batch/batch-bytes.ts'
import type { ItemMutation } from '#services/gateway/resources/items/writing/commit-item.ts'
import { toChange } from '#services/gateway/resources/items/writing/commit-item.ts'
import type { ListConfig } from '#services/gateway/resources/lists/list-cache.ts'
import { assertUnitFits } from '#shared/data/items/commit/commit.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { noWords } from '#shared/domain/search/item-words.ts'
import { testId, testItem } from '../../../../support/databases/contents/rows.ts'

const guards = ['/secret', '/list/0']
const at = { accountId: testId(), listId: testId() }

/** An item with these numbers of bytes that tokens see and do not see. */
function itemOf({ visible = 100, hidden = 0, ...more }: { visible?: number; hidden?: number } & Partial<Item>): Item {
  const secret = hidden === 0 ? '' : `"secret":"${'s'.repeat(hidden - 12)}",`
  const data = `{${secret}"open":"${'x'.repeat(visible - 11)}"}`
  return { ...testItem(at, testId(), 1), data, size: data.length, ...more }
}

const kinds: Record<string, (item: Item) => Pick<ItemMutation, 'before' | 'after'>> = {
  update: (item) => ({ before: item, after: item }),
  deletion: (item) => ({ before: item, after: null }),
}

/** The number of such changes that fit in a batch, at most 1,000. */
function countThatFits(mode: 'token' | 'user', change: Pick<ItemMutation, 'before' | 'after'>): number {
  const bytes = createBatchBytes({ guards }, { mode })
  for (let n = 0; n < 1_000; n++) {
    try {
      bytes.add({ ...change, indexValues: [], words: noWords, at: 0 })
    } catch {
      return n
    }
  }
  return 1_000
}

for (const [kind, changeOf] of Object.entries(kinds)) {
  test(`the number of items that fit for a token does not reveal how large guarded values are: ${kind}`, (t) => {
    for (const visible of [100, 200_000]) {
      const fits = (hidden: number) => countThatFits('token', changeOf(itemOf({ visible, hidden })))
      t.is(new Set([0, 20, 100, 4_000].map(fits)).size, 1)
      t.is(new Set([4_200, 30_000, 65_000].map(fits)).size, 1)
      t.is(new Set([66_000, 300_000, 1_000_000].map(fits)).size, 1)
    }
    t.is(countThatFits('token', changeOf(itemOf({ hidden: 4_000 }))), 1_000)
    t.true(countThatFits('user', changeOf(itemOf({ hidden: 65_000 }))) > 500)
  })

  test(`a batch that fits for a token always fits the commit, whatever the token does not see: ${kind}`, (t) => {
    const config = {
      guards,
      indexes: [],
      list: { id: at.listId, configVersion: 1, name: '\u0001'.repeat(200), pathName: 'p'.repeat(200), ...at },
    }
    const principal = { actor: { authMode: 'token', tokenId: testId(), identityId: testId() } }
    const identity = { id: testId(), displayName: '\u0001'.repeat(100) }
    for (const hidden of [0, 4_000, 65_000, 250_000]) {
      for (const description of ['', '\u0001'.repeat(1_000)]) {
        const item = itemOf({ hidden, description, identity })
        const mutation = { ...changeOf(item), indexValues: [], words: noWords, at: 0, requestId: '', principal }
        const change = toChange({ newId: testId }, config as unknown as ListConfig, mutation as never)
        const count = countThatFits('token', changeOf(item))
        t.notThrows(
          () => assertUnitFits({ changes: Array.from({ length: count }, () => change) }),
          `${hidden} ${count}`,
        )
      }
    }
  })
}

import { type ItemMutation, toChange } from '#services/gateway/resources/items/writing/commit-item.ts'
import type { ListConfig } from '#services/gateway/resources/lists/list-cache.ts'
import { createIds } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { findList, readIndexes } from '#shared/data/lists/lists.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { timeOfId } from '#shared/domain/id.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import { indexValues } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { itemWords, noWords } from '#shared/domain/search/item-words.ts'
import { contentsOf } from './contents.ts'

/** A list of an account that no other client changes at the same time. */
export type LoadedList = { accountId: string; ref: string }
/** The nth item that was created, counted from 0. */
export type LoadedItem = { n: number; id: string; createdAt: number }

/** Items of one transaction, which holds the write lock for some 50 ms. */
const perUnit = 500
/** How many units are passed at once, so that the committer never waits for the next. */
const unitsAhead = 2

/**
 * Creates items, each with its event, as the gateway does when it has validated a batch: by its function that prepares the change and by
 * its committer, so that whatever a commit writes is there. Requests would take ten times as long.
 * @param options.kept how many of the items are returned, spread evenly from the oldest to the newest
 */
export async function loadItems(
  db: Database,
  list: LoadedList,
  { count, kept }: { count: number; kept: number },
): Promise<LoadedItem[]> {
  const newId = createIds(Date.now)
  const config = await readConfig(db, list)
  const loaded: LoadedItem[] = []
  const everyNth = Math.max(1, Math.floor(count / kept))
  await commit(db, units())
  return loaded

  function* units(): Generator<Change[]> {
    for (const numbers of slices(count)) {
      yield numbers.map((n) => {
        const item = newItem(config, { id: newId(), data: contentsOf(n, count) })
        if (n % everyNth === 0) loaded.push({ n, id: item.id, createdAt: item.createdAt })
        return changeOf(config, { before: null, after: item, newId })
      })
    }
  }
}

/**
 * Creates items and deletes them again, dated long ago: two events of each stay, older than the retention keeps.
 * @param options.daysAgo the age of the events, and of the time in the ids
 */
export async function loadDeletedItems(
  db: Database,
  list: LoadedList,
  { count, daysAgo }: { count: number; daysAgo: number },
): Promise<void> {
  const newId = createIds(() => Date.now() - daysAgo * 86_400_000)
  const config = await readConfig(db, list)
  await commit(db, units())

  function* units(): Generator<Change[]> {
    for (const numbers of slices(count)) {
      const items = numbers.map((n) => {
        return newItem(config, { id: newId(), data: { ...contentsOf(n, count), mark: `gone-${n}` } })
      })
      yield items.map((after) => changeOf(config, { before: null, after, newId }))
      yield items.map((before) => changeOf(config, { before, after: null, newId }))
    }
  }
}

type Change = ReturnType<typeof toChange>

async function commit(db: Database, units: Iterable<Change[]>): Promise<void> {
  const committer = createCommitter(db, { announce() {} })
  const inFlight: Promise<void>[] = []
  for (const unit of units) {
    inFlight.push(committer.commitAll(unit))
    if (inFlight.length >= unitsAhead) await inFlight.shift()
  }
  await Promise.all(inFlight)
  await committer.close()
}

function* slices(count: number): Generator<number[]> {
  for (let start = 0; start < count; start += perUnit) {
    yield Array.from({ length: Math.min(perUnit, count - start) }, (_, n) => start + n)
  }
}

async function readConfig(db: Database, { accountId, ref }: LoadedList): Promise<ListConfig> {
  const list = await findList(db, accountId, ref)
  if (list === null) throw new Error(`there is no list ${ref}`)
  const indexes = await readIndexes(db, accountId, list.id)
  return { list, indexes, aliasIndex: null, termsId: list.termsId, guards: [], validator: null }
}

function newItem({ list }: ListConfig, { id, data }: { id: string; data: object }): Item {
  const at = timeOfId(id)
  const text = JSON.stringify(data)
  return {
    ...initialValues(itemFields),
    id,
    accountId: list.accountId,
    listId: list.id,
    createdAt: at,
    updatedAt: at,
    data: text,
    size: Buffer.byteLength(text),
    tags: [],
    revision: 1,
    identity: null,
  }
}

function changeOf(
  config: ListConfig,
  { newId, ...mutation }: Pick<ItemMutation, 'before' | 'after'> & { newId(): string },
): Change {
  const { after } = mutation
  const value: unknown = after && JSON.parse(after.data)
  const values = after === null ? [] : indexValues(config.indexes, value).values
  const words = after === null ? noWords : itemWords(config.indexes, value)
  const at = timeOfId(newId())
  const { accountId } = config.list
  const principal = { mode: 'user', accountId, limits: null, rates: null, userId: '', sessionId: '', actor } as const
  return toChange({ newId }, config, { ...mutation, indexValues: values, words, at, principal, requestId: 'bench' })
}

const actor = { authMode: 'user', tokenId: null, identityId: null } as const

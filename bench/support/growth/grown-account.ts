import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { addDeliveries, makeWebhook } from '../../../test/support/databases/contents/rows.ts'
import { makeAccount } from '../worlds/account.ts'
import type { Listd } from '../worlds/listd.ts'
import { type Call, type Caller, good, openCaller } from './calls.ts'
import { indexes, schema } from './contents.ts'
import { type LoadedItem, loadItems } from './load-items.ts'
import { createRuledTokens, type RuledToken } from './ruled-tokens.ts'

/** An account of which everything that can grow has grown to a size. */
export type GrownAccount = {
  /** Items in the list `grown`, events of the account, and settled deliveries of its webhook. */
  size: number
  accountId: string
  listId: string
  webhookId: string
  /** Some items, evenly from the oldest to the newest; `victims` are others, to be deleted. */
  items: readonly LoadedItem[]
  victims: LoadedItem[]
  /** Cursors far after the first page, by walk. */
  far: Record<FarWalk, string>
} & Caller

export type FarWalk = keyof typeof walks

const keptItems = 4_000
const everyNthVictim = 4
/** The account has one list in addition to the growing one for this many items. */
const itemsPerList = 200
export const grownDocument = { scope: 'grown', lists: { grown: { name: 'grown', schema, indexes } } }

/** Creates an account with its lists, empty. */
export async function createGrownAccount(listd: Listd, size: number): Promise<GrownAccount> {
  const { accountId, token, session } = await makeAccount(listd)
  const ruled: Partial<Record<RuledToken, string>> = {}
  const caller = openCaller(listd.address, { token, session, ruled })
  await good(caller, { method: 'POST', path: '/sync-schema', body: grownDocument })
  const create = (body: object) => good(caller, { method: 'POST', path: '/tokens', body, as: 'user' })
  Object.assign(ruled, await createRuledTokens(create))
  const listId = (await good(caller, { path: '/lists/grown' })).id ?? ''
  const others = Math.max(3, Math.floor(size / itemsPerList))
  for (const lists of documentsOf(others)) {
    await good(caller, { method: 'POST', path: '/sync-schema', body: { scope: 'others', lists } })
  }
  const far = { items: '', ranked: '', events: '', deliveries: '' }
  return { size, accountId, listId, webhookId: '', items: [], victims: [], far, ...caller }
}

/** Fills the list. */
export async function fillList(db: Database, account: GrownAccount): Promise<void> {
  const { accountId, size: count } = account
  const loaded = await loadItems(db, { accountId, ref: 'grown' }, { count, kept: keptItems })
  account.items = loaded.filter((_, n) => n % everyNthVictim !== 1)
  account.victims = loaded.filter((_, n) => n % everyNthVictim === 1)
}

/** Deliveries of one transaction. */
const perInsert = 1_000

/** Adds a webhook and its settled deliveries, the oldest three of a rare event; it is disabled, so that nothing else is sent. */
export async function fillDeliveries(db: Database, account: GrownAccount): Promise<void> {
  const { accountId, listId, size } = account
  account.webhookId = await makeWebhook(db, { accountId })
  await good(account, {
    method: 'PUT',
    path: `/webhooks/${account.webhookId}`,
    body: { activated: false },
    as: 'user',
  })
  for (let start = 0; start < size; start += perInsert) {
    const rows = Array.from({ length: Math.min(perInsert, size - start) }, (_, n) => {
      const event = start + n < 3 ? 'item.deleted' : 'item.created'
      const status = (start + n) % 100 === 0 ? 'failed' : 'succeeded'
      return { id: newId(), event, status, listId, responseStatus: status === 'failed' ? 500 : 204 }
    })
    await addDeliveries(db, account, rows)
  }
}

const walks: Record<'items' | 'ranked' | 'events' | 'deliveries', Call> = {
  items: { path: '/lists/grown/items?limit=100' },
  ranked: { path: '/lists/grown/items?limit=100&order=rank' },
  events: { path: '/events?limit=100', as: 'user' },
  deliveries: { path: '/deliveries?limit=100', as: 'user' },
}

/** Entries before a far cursor: 5,000 pages of 20, or most of the entries. */
const farthest = 100_000
const farShare = 0.8

/** Walks far by cursor, as a client does that reads everything. */
export async function findFarCursors(account: GrownAccount): Promise<void> {
  for (const [walk, call] of Object.entries(walks)) {
    let cursor = ''
    for (let seen = 0; seen < Math.min(farthest, account.size * farShare); ) {
      const { data = [], next } = await good(account, { ...call, path: `${call.path}&after=${cursor}` })
      if (typeof next !== 'string') break
      cursor = next
      seen += data.length
    }
    account.far[walk as FarWalk] = cursor
  }
}

/** The number of a page of 20 at the same share of the account's size. */
export function farPage({ size }: GrownAccount): number {
  return Math.floor((size * farShare) / 20)
}

/** A sync accepts this many lists at once, without long waits of others. */
const perDocument = 500

function* documentsOf(count: number): Generator<Record<string, object>> {
  for (let start = 0; start < count; start += perDocument) {
    const numbers = Array.from({ length: Math.min(perDocument, count - start) }, (_, n) => start + n)
    yield Object.fromEntries(numbers.map((n) => [`other-${n}`, { name: `other ${n}`, tags: n < 3 ? ['rare'] : [] }]))
  }
}

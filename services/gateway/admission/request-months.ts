import { createLruMap } from '#shared/admission/lru-map.ts'
import type { GatewayRequests } from '#shared/bus/messages/gateway.ts'
import type { StoredMonth, UnsettledMonth } from '#shared/data/accounts/request-months.ts'
import { type MonthCounts, type MonthUse, monthOf } from '#shared/domain/plan/rates.ts'

/** The requests of a month by account: the stored ones, and those that this gateway and the others have not stored yet. */
export type RequestMonths = {
  add(account: Pick<UnsettledMonth, 'accountId' | 'limits'>, counts: Partial<MonthCounts>): void
  /** What an account has used of this month, as far as this gateway knows; null: the stored count must be read. */
  known(accountId: string): MonthUse | null
  /** The same, read from the database if necessary. */
  used(accountId: string): Promise<MonthUse>
  /** The changes since the last call, for the other gateways. */
  changes(): GatewayRequests['months']
  hear(message: GatewayRequests): void
  /** Stores the remaining counts. */
  settle(): Promise<void>
}

type Storage = {
  /** Epoch milliseconds. */
  now(): number
  /** The stored counts of a month. */
  read(accountId: string, month: number): Promise<StoredMonth>
  /** Adds to the stored counts of a month. @returns the new stored counts, by account */
  store(rows: readonly UnsettledMonth[]): Promise<Map<string, StoredMonth>>
}

export function createRequestMonths({ now, read, store }: Storage): RequestMonths {
  const months = createStoredMonths({ now, read })
  const unsettled = createUnsettledMonths()
  const thisMonth = () => monthOf(now()).number

  function useOf(accountId: string, { month, stored, heard }: Known): MonthUse {
    const own = unsettled.of(accountId, month)
    const since = now() - heardMs
    const others = [...heard.values()].reduce((sum, { requests, at }) => sum + (at > since ? requests : 0), 0)
    const requests = stored.requests + own.requests + others
    return { requests, blocked: stored.blocked + own.blocked, stored }
  }

  return {
    add: (account, counts) => unsettled.add({ ...account, month: thisMonth() }, counts),
    known(accountId) {
      const found = months.find(accountId, thisMonth())
      return found && useOf(accountId, found)
    },
    used: async (accountId) => useOf(accountId, await months.get(accountId, thisMonth())),
    changes: () =>
      unsettled.changes().map(({ accountId, month }) => {
        const { requests } = unsettled.of(accountId, month)
        return { accountId, month, unsettled: requests, stored: months.find(accountId, month)?.stored ?? null }
      }),
    hear: months.hear,
    async settle() {
      for (const rows of Map.groupBy(unsettled.all(), ({ month }) => month).values()) {
        const stored = await store(rows)
        for (const row of rows) {
          unsettled.take(row)
          const now = stored.get(row.accountId)
          if (now) months.set(row, now)
        }
      }
    },
  }
}

/** The most accounts whose month is cached. */
const maxAccounts = 10_000
/** After this time a gateway's last report no longer counts: the gateway has stored those requests since, or has ended. */
const heardMs = 15_000

/** The stored count of an account's month, and the counts that other gateways have reported but not stored yet. */
type Known = { month: number; stored: StoredMonth; heard: Map<string, { requests: number; at: number }> }
type MonthKey = { accountId: string; month: number }

function createStoredMonths({ now, read }: Pick<Storage, 'now' | 'read'>) {
  const known = createLruMap<Known>(maxAccounts)
  const reading = new Map<string, Promise<Known>>()

  function find(accountId: string, month: number): Known | null {
    const found = known.get(accountId)
    return found?.month === month ? found : null
  }

  async function load({ accountId, month }: MonthKey): Promise<Known> {
    const loaded: Known = { month, stored: await read(accountId, month), heard: new Map() }
    known.set(accountId, loaded)
    return loaded
  }

  return {
    find,
    /** Concurrent requests share one read. */
    async get(accountId: string, month: number): Promise<Known> {
      const found = find(accountId, month)
      if (found) return found
      const key = keyOf({ accountId, month })
      const inFlight = reading.get(key) ?? load({ accountId, month }).finally(() => reading.delete(key))
      reading.set(key, inFlight)
      return inFlight
    },
    set({ accountId, month }: MonthKey, stored: StoredMonth): void {
      const found = find(accountId, month)
      if (found) found.stored = stored
    },
    hear({ instance, months }: GatewayRequests): void {
      for (const { accountId, month, unsettled: requests, stored } of months) {
        const found = find(accountId, month)
        if (!found) continue
        found.heard.set(instance, { requests, at: now() })
        if (stored && stored.requests >= found.stored.requests) found.stored = stored
      }
    },
  }
}

/** The requests that this gateway has counted but not stored yet. */
function createUnsettledMonths() {
  const rows = new Map<string, UnsettledMonth>()
  const changed = new Map<string, MonthKey>()
  const of = (accountId: string, month: number): MonthCounts => rows.get(keyOf({ accountId, month })) ?? nothing

  function change(key: MonthKey & Pick<UnsettledMonth, 'limits'>, { requests = 0, blocked = 0 }: Partial<MonthCounts>) {
    const before = of(key.accountId, key.month)
    const after = { ...key, requests: before.requests + requests, blocked: before.blocked + blocked }
    if (after.requests === 0 && after.blocked === 0) rows.delete(keyOf(key))
    else rows.set(keyOf(key), after)
    changed.set(keyOf(key), { accountId: key.accountId, month: key.month })
  }

  return {
    of,
    add: change,
    /** Subtracts stored requests; more may have been counted in the meantime. */
    take({ requests, blocked, accountId, month, limits }: UnsettledMonth): void {
      change({ accountId, month, limits }, { requests: -requests, blocked: -blocked })
    },
    all: () => [...rows.values()],
    changes(): MonthKey[] {
      const keys = [...changed.values()]
      changed.clear()
      return keys
    },
  }
}

const nothing: MonthCounts = { requests: 0, blocked: 0 }

function keyOf({ accountId, month }: MonthKey): string {
  return `${accountId} ${month}`
}

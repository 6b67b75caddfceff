import { newId } from '#shared/crypto/ids.ts'
import type { Database, Transaction } from '#shared/data/database.ts'
import { type HeldEvent, insertHeldEvents } from '#shared/data/held/held-events.ts'
import { insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import { openTestDatabase, testBackend } from '../../../test/support/databases/database.ts'
import { ratios } from '../../../test/support/load/statistics.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { cpuSeconds } from '../../support/measures/processes.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { pidOf } from '../../support/worlds/listd.ts'
import { drainListd } from '../../support/worlds/listd-drain.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../../support/worlds/webhook-world.ts'

type Drained = { perSecond: number; cpuMicros: number }

/** The share of a webhook's events that may wait: a tenth, so that nine tenths are held. */
const waitingPart = 0.1

/** How fast held events are sent, compared with the same number of waiting deliveries, and the bytes of a held event besides its payload. */
export async function held({ rounds, share }: Pace): Promise<void> {
  const count = 100_000 * share
  const maxWaiting = (count / webhookCount) * waitingPart
  await using world = await startWebhookWorld({ LISTD_WEBHOOKS_MAX_WAITING: String(maxWaiting) })
  const both = {
    subject: () => drainOf(world, { count, maxWaiting }),
    yardstick: () => drainOf(world, { count }),
  }
  await alternate(1, both)
  const { subject, yardstick } = await alternate(rounds, both)
  figure(
    'events',
    `${rounded(count)} for ${webhookCount} webhooks, ${rounded(maxWaiting)} of each waiting, the others held`,
  )
  compare('events/s', { subject, yardstick, of: 'perSecond', unit: '/s', target: '; target >= 0.8' })
  compare('CPU of the dispatcher each', { subject, yardstick, of: 'cpuMicros', unit: 'µs', target: '' })
  const bytes = await heldBytes(world)
  figure('bytes of a held event', `${rounded(bytes.event)}; target <= 350`)
  figure('  of the row of its payload', `${rounded(bytes.payload)} in addition to the text, once for all webhooks`)
}

type Comparison = {
  subject: readonly Drained[]
  yardstick: readonly Drained[]
  of: keyof Drained
  unit: string
  target: string
}

function compare(name: string, { subject, yardstick, of, unit, target }: Comparison): void {
  const [held, waiting] = [subject.map((drained) => drained[of]), yardstick.map((drained) => drained[of])]
  figure(name, `ratio ${spread(ratios(held, waiting), 2)} to waiting deliveries${target}`)
  figure('  held', `${spread(held)} ${unit}`)
  figure('  waiting', `${spread(waiting)} ${unit}`)
}

async function drainOf(world: WebhookWorld, seeding: { count: number; maxWaiting?: number }): Promise<Drained> {
  const pid = pidOf(world.listd, 'webhook-dispatcher')
  const measure = async () => {
    const before = cpuSeconds(pid)
    return async () => ((cpuSeconds(pid) - before) * 1e6) / seeding.count
  }
  const { drain, measured } = await drainListd(world, { ...seeding, measure })
  return { perSecond: (seeding.count / (drain.lastAt - drain.startedAt)) * 1_000, cpuMicros: measured }
}

const sampleRows = 100_000
const inOneTransaction = 500

/** By how much the tables of held events grow with rows like those of item events, with empty payloads. */
async function heldBytes({ listd }: Pick<WebhookWorld, 'listd'>): Promise<{ event: number; payload: number }> {
  const db = await openTestDatabase(listd.dataDir, { readers: 1 })
  try {
    const sample = Array.from({ length: sampleRows }, (_, n) => sampleRow(n))
    const event = await growth(db, sample, insertHeldEvents)
    const payload = await growth(db, sample, (tx, rows) => insertRows(tx, emptyPayloads(rows)))
    return { event, payload }
  } finally {
    await db.close()
  }
}

/** @returns the bytes of each row */
async function growth(
  db: Database,
  sample: readonly HeldEvent[],
  insert: (tx: Transaction, rows: readonly HeldEvent[]) => Promise<void>,
): Promise<number> {
  const before = await sizeOf(db)
  for (let from = 0; from < sample.length; from += inOneTransaction) {
    await db.transaction((tx) => insert(tx, sample.slice(from, from + inOneTransaction)))
  }
  return ((await sizeOf(db)) - before) / sample.length
}

const emptyPayloads = rowMapper<HeldEvent>('held_payloads', {
  event_id: ({ eventId }) => eventId,
  holders: () => 1,
  body: () => '',
})

const webhookId = newId()
const listId = newId()

function sampleRow(position: number): HeldEvent {
  const event = { eventId: newId(), event: 'item.created', listId, itemId: newId(), requestId: newId() } as const
  return { webhookId, position: Date.now() * 1_024 + position, heldAt: Date.now(), ...event }
}

async function sizeOf(db: Database): Promise<number> {
  const tables = ['held_events', 'held_payloads']
  if (testBackend === 'mysql') await db.run(`analyze table ${tables.join(', ')}`)
  const row = await db.get<{ bytes: unknown }>(sizes[testBackend](tables.map((table) => `'${table}'`).join(', ')))
  return Number(row?.bytes)
}

const sizes = {
  sqlite: () => `select (page_count.page_count - freelist_count.freelist_count) * page_size.page_size as bytes
    from pragma_page_count() as page_count, pragma_freelist_count() as freelist_count, pragma_page_size() as page_size`,
  postgres: (tables: string) =>
    `select sum(pg_total_relation_size(t::regclass)) as bytes from unnest(array[${tables}]) as t`,
  mysql: (tables: string) => `select sum(data_length + index_length) as bytes from information_schema.tables
    where table_schema = database() and table_name in (${tables})`,
} as const

import type { Database } from '#shared/data/database.ts'
import { readFigures } from '#shared/data/database-figures.ts'
import { sum } from '../../../test/support/load/statistics.ts'
import { until } from '../clock.ts'
import { type Listd, pidOf } from '../worlds/listd.ts'
import { good } from './calls.ts'
import type { GrownAccount } from './grown-account.ts'
import { loadDeletedItems } from './load-items.ts'
import { type Cpu, watchJobCpu } from './measure.ts'

/** A running listd and its database. */
export type World = { listd: Listd; db: Database }

/** The cost of a row; for events also the bytes of each. */
export type JobResult = { cpu: Cpu; bytesOfEvent?: number }

/** How long a job may take. */
const withinMs = 3_600_000
/** How often to check for its end, which also costs some CPU. */
const everyMs = 250

/** The cost of a value after its index was deleted. */
export async function purgeIndex(world: World, account: GrownAccount): Promise<JobResult> {
  return purge(world, account, { path: '/lists/grown/indexes/shape', table: 'index_value_purges' })
}

/** The cost of an item, with its values in the other indexes, after its list was deleted. */
export async function purgeList(world: World, account: GrownAccount): Promise<JobResult> {
  return purge(world, account, { path: '/lists/grown', table: 'list_purges' })
}

async function purge(
  { listd, db }: World,
  account: GrownAccount,
  { path, table }: { path: string; table: string },
): Promise<JobResult> {
  const { itemCount = account.size } = await good(account, { path: '/lists/grown' })
  const cpu = watchJobCpu(listd, 'gateway')
  await good(account, { method: 'DELETE', path })
  const isOver = async () => (await db.all(`select * from ${table}`)).length === 0
  await until(isOver, { what: `the end of ${table}`, withinMs, everyMs })
  return { cpu: cpu.each(itemCount) }
}

/** The default of the setting is 90. */
const daysAgo = 400

/** The retention cost of an event, and the bytes of an event, in a log that has half as many old events as the list has items. */
export async function retainEvents({ listd, db }: World, account: GrownAccount): Promise<JobResult> {
  const { accountId, size } = account
  const count = Math.floor(size / 4)
  const eventsNow = async () => (await good(account, { path: '/events?limit=1', as: 'user' })).total ?? 0
  const [bytes, events] = [await databaseBytes(db), await eventsNow()]
  await loadDeletedItems(db, { accountId, ref: 'grown' }, { count, daysAgo })
  const [loadedBytes, loadedEvents] = [await databaseBytes(db), await eventsNow()]
  await startRetention(listd)
  const hasBegun = async () => (await eventsNow()) < loadedEvents
  await until(hasBegun, { what: 'the first events that retention deletes', withinMs, everyMs })
  const cpu = watchJobCpu(listd, 'webhook-dispatcher')
  const before = await eventsNow()
  await until(async () => (await eventsNow()) <= events, { what: 'the end of retention', withinMs, everyMs: 1_000 })
  return {
    cpu: cpu.each(before - events),
    bytesOfEvent: (loadedBytes - bytes) / (loadedEvents - events),
  }
}

/** Retention begins some seconds after the start of a dispatcher: the supervisor starts another when this one has died. */
async function startRetention(listd: Listd): Promise<void> {
  const pid = pidOf(listd, 'webhook-dispatcher')
  process.kill(pid, 'SIGKILL')
  const isAnother = () => listd.processes().some(({ name, pid: its }) => name === 'webhook-dispatcher' && its !== pid)
  await until(isAnother, { what: 'another dispatcher' })
}

/** Of all tables with their indexes. */
export async function databaseBytes(db: Database): Promise<number> {
  await db.checkpoint()
  return sum(Object.values((await readFigures(db)).bytes))
}

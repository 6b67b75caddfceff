import type { Queries } from '../database.ts'
import { findSetting, putSetting } from './settings.ts'

// When the last completed run of retention began: it has deleted everything that was too old then. Stored in the database, because not
// only the dispatcher that deletes reads it.

/** `runs`: of flows. */
export type Retained = 'events' | 'deliveries' | 'runs'

const settingOf = { events: 'eventsCleanAt', deliveries: 'deliveriesCleanAt', runs: 'runsCleanAt' } as const

/** @param begunAt epoch milliseconds of the database's clock */
export async function noteRetentionRun(db: Queries, what: Retained, begunAt: number): Promise<void> {
  await putSetting(db, settingOf[what], String(begunAt))
}

/** @returns null: no run has ended yet */
export async function findRetentionRun(db: Queries, what: Retained): Promise<number | null> {
  const begunAt = await findSetting(db, settingOf[what])
  return begunAt === null ? null : Number(begunAt)
}

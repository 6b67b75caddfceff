import type { Database } from '#shared/data/database.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { findRetentionRun, type Retained } from '#shared/data/settings/retention-runs.ts'
import { isOnServer } from '../../master-key.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok } from '../check.ts'
import { notChecked, onDatabase } from '../on-database.ts'

/** Whether expired data is deleted as fast as it expires. */
export const retention: Check = {
  name: 'retention',
  run: (context) =>
    onDatabase(context, (db) => checkStored(db, context), { none: [none], unusable: () => [notChecked()] }),
}

const none = ok('there is no database yet')

const hourMs = 3_600_000
/** After how long a missing run is reported: a run begins every hour (events), or every ten minutes. */
const longMs: Readonly<Record<Retained, number>> = { events: 3 * hourMs, deliveries: hourMs, runs: hourMs }

async function checkStored(db: Database, { config, running }: DoctorContext): Promise<CheckResult[]> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return [none]
  if (state !== 'fits') return [note('not checked: this version does not support the schema', 'see above')]
  if (!isOnServer(config) && !running) return [ok('not checked: no listd is running')]
  const now = await db.now()
  const runs = await Promise.all(
    (['events', 'deliveries', 'runs'] as const).map(async (what) => ({
      what,
      begunAt: await findRetentionRun(db, what),
    })),
  )
  return checkRetention(runs, now)
}

const whatName: Readonly<Record<Retained, string>> = {
  events: 'events',
  deliveries: 'deliveries',
  runs: 'runs of flows',
}

/** @param runs when the last completed run of each began; null: no run has completed */
export function checkRetention(
  runs: readonly { what: Retained; begunAt: number | null }[],
  now: number,
): CheckResult[] {
  const late = runs.flatMap(({ what, begunAt }) => {
    if (begunAt === null || now - begunAt <= longMs[what]) return []
    const hours = Math.floor((now - begunAt) / hourMs)
    const ago = hours === 1 ? '1 hour' : `${hours} hours`
    const message = `the last run that deleted all expired ${whatName[what]} began ${ago} ago`
    return note(
      message,
      'check that a dispatcher runs; if it does and the hours grow, more is written than deleted: docs/operating.md, "Disk that grows"',
    )
  })
  if (late.length > 0) return late
  return [ok(runs.some(({ begunAt }) => begunAt === null) ? 'no run has ended yet' : 'expired data is deleted')]
}

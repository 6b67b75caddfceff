import type { Database } from '#shared/data/database.ts'
import { findSetting, putSetting } from '#shared/data/settings/settings.ts'
import { openTestDatabase } from '../../../test/support/databases/database.ts'
import { monotonicMs, sleep } from '../clock.ts'

/** Milliseconds of each small write until it has the write lock, and until it is committed. */
export type WriteTimes = { lockMs: number[]; doneMs: number[] }

const betweenMs = 5

/** Writes one row repeatedly, in a transaction each, as any process of the service would. */
export async function timeWrites(dataDir: string, forSeconds: number): Promise<WriteTimes> {
  const db = await openTestDatabase(dataDir, { readers: 1 })
  const times: WriteTimes = { lockMs: [], doneMs: [] }
  const version = (await findSetting(db, 'version')) ?? ''
  const endsAt = monotonicMs() + forSeconds * 1_000
  while (monotonicMs() < endsAt) {
    await timeWrite(db, { version, times })
    await sleep(betweenMs)
  }
  await db.close()
  return times
}

async function timeWrite(db: Database, { version, times }: { version: string; times: WriteTimes }): Promise<void> {
  const startedAt = monotonicMs()
  let lockedAt = startedAt
  await db.transaction(async (tx) => {
    lockedAt = monotonicMs()
    await putSetting(tx, 'version', version)
  })
  times.lockMs.push(lockedAt - startedAt)
  times.doneMs.push(monotonicMs() - startedAt)
}

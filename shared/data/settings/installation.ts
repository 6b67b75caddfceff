import { newId, newIdAt } from '#shared/crypto/ids.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { Database, Queries } from '../database.ts'
import { findSetting, lockInstallation, putSetting } from './settings.ts'

/**
 * The id of the installation that this database belongs to. Backups, copies and restored databases keep it, because they move the
 * installation.
 */
export async function getInstallationId(db: Queries): Promise<string> {
  const id = await findSetting(db, 'installationId')
  if (id === null) throw new Error('the database has no installationId, which a migration creates')
  return id
}

/** Gives a copy a new id, so that it is a separate installation. @returns the id */
export async function renewInstallationId(db: Queries): Promise<string> {
  const id = newId()
  await putSetting(db, 'installationId', id)
  return id
}

/**
 * How long a mark is kept: longer than others look for it (`join-installation.ts`), however many processes write theirs meanwhile.
 */
const keptMs = 60_000

/**
 * Writes a mark that only readers of this database can know. Marks have times of the database's clock, so a process whose own
 * clock is ahead does not drop marks of others too early.
 * @returns the mark
 */
export function leaveMark(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    await lockInstallation(tx)
    const now = await tx.now()
    const mark = newIdAt(now)
    const kept = marksIn(await findSetting(tx, 'marks')).filter((other) => timeOfId(other) > now - keptMs)
    await putSetting(tx, 'marks', [mark, ...kept].join(' '))
    return mark
  })
}

export async function findsMark(db: Queries, mark: string): Promise<boolean> {
  return marksIn(await findSetting(db, 'marks')).includes(mark)
}

function marksIn(text: string | null): string[] {
  return text === null ? [] : text.split(' ')
}

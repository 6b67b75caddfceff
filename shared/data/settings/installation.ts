import { newId, newIdAt } from '#shared/crypto/ids.ts'
import { timeOfId } from '#shared/domain/id.ts'
import type { Database, Queries } from '../database.ts'
import { findSetting, lockInstallation, putSetting } from './settings.ts'

/** Which installation this database is of. Backups, copies and restored databases keep it, because they are moves. */
export async function getInstallationId(db: Queries): Promise<string> {
  const id = await findSetting(db, 'installationId')
  if (id === null) throw new Error('the database has no installationId, which migrations give it')
  return id
}

/** Makes a copy an installation of its own. @returns its id */
export async function renewInstallationId(db: Queries): Promise<string> {
  const id = newId()
  await putSetting(db, 'installationId', id)
  return id
}

/** Longer than others look for a mark (`join-installation.ts`), however many processes leave theirs meanwhile. */
const keptMs = 60_000

/**
 * Writes a mark that only who reads this database can know. Marks have times of the database's clock, so that no process whose own
 * is ahead drops those of others too early.
 * @returns it
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

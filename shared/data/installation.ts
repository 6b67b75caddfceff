import { newId } from '#shared/crypto/ids.ts'
import type { Database, Queries } from './database.ts'
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

/** How many of the last marks are kept: more than processes start within the time in which others look for theirs. */
const maxMarks = 100

/** Writes a mark that only who reads this database can know. */
export function leaveMark(db: Database, mark: string): Promise<void> {
  return db.transaction(async (tx) => {
    await lockInstallation(tx)
    const marks = [mark, ...marksIn(await findSetting(tx, 'marks'))]
    await putSetting(tx, 'marks', marks.slice(0, maxMarks).join(' '))
  })
}

export async function findsMark(db: Queries, mark: string): Promise<boolean> {
  return marksIn(await findSetting(db, 'marks')).includes(mark)
}

function marksIn(text: string | null): string[] {
  return text === null ? [] : text.split(' ')
}

import { existsSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { readSettings, snapshotFile } from '#shared/data/drivers/sqlite/files.ts'
import type { SchemaStatus } from '#shared/data/migrate.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'

/**
 * Backs up a SQLite database to a file next to it, named after the version of its schema. When an upgrade fails after some of its
 * steps, the next one adds a backup: it never overwrites the one from which the previous listd can continue. If a step that locks out
 * the previous listd has failed halfway, the existing backup is used again: nothing was written since.
 * @param schema the version of the schema, and the oldest code version that can run on it
 * @returns the path; null when another process upgraded the database in the meantime
 * @throws Error with a sentence when it cannot be written
 */
export async function backUpBeforeMigration(
  file: string,
  { version, compatibleFrom }: Pick<SchemaStatus, 'version' | 'compatibleFrom'>,
): Promise<string | null> {
  const backup = `${file}${infix}${version}`
  if (compatibleFrom > version && existsSync(backup)) return backup
  const draft = `${backup}.${process.pid}`
  try {
    await snapshotFile(file, draft)
    if ((await readSettings(draft)).version !== String(version)) return null
    await rename(draft, backup)
    return backup
  } catch (error) {
    // Another process that upgraded the database also deleted the drafts of such backups.
    if ((await readSettings(file)).version !== String(version)) return null
    throw new Error(
      `the database could not be backed up to ${backup} before upgrading it: ${describeError(error)} ` +
        'Make room for a copy of it, or run "listd migrate --no-backup" once you have a backup.',
    )
  } finally {
    await rm(draft, { force: true })
  }
}

/** Deletes the backups of earlier upgrades. */
export async function keepOnly(backup: string): Promise<void> {
  const folder = dirname(backup)
  const [start] = basename(backup).split(infix)
  for (const name of await readdir(folder)) {
    const isOther = name.startsWith(`${start}${infix}`) && name !== basename(backup)
    if (isOther) await rm(join(folder, name), { force: true })
  }
}

const infix = '.schema-'

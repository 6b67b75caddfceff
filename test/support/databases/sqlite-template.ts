import { readFileSync, rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '#shared/crypto/ids.ts'
import { migrate } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { getInstallationId } from '#shared/data/settings/installation.ts'

/** A migrated SQLite file, read once: copying it takes a twentieth of the time that migrations take. */
let template: Promise<Template> | undefined

type Template = { bytes: Buffer; installationId: string }

/** Puts a separate migrated database, with its own installation id, into a data directory. */
export async function copySqliteTemplate(dataDir: string): Promise<void> {
  template ??= readTemplate(process.env.TEST_SQLITE_TEMPLATE || makeSqliteTemplate())
  const { bytes, installationId } = await template
  await writeFile(join(dataDir, fileName), withText(bytes, { from: installationId, to: newId() }), { mode: 0o600 })
}

const fileName = 'listd.db'

/** Creates the template, which is removed with this process. @returns the path, which ends in its installation id */
export async function makeSqliteTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listd-template-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const db = await openDatabase({ url: '', dataDir: folder })
  await migrate(db)
  const installationId = await getInstallationId(db)
  const path = join(folder, installationId)
  // The file itself may lack rows that are still in its log.
  await db.run('vacuum into ?', [path])
  await db.close()
  return path
}

async function readTemplate(created: string | Promise<string>): Promise<Template> {
  const path = await created
  return { bytes: readFileSync(path), installationId: path.slice(-newId().length) }
}

/** A copy in which a text is replaced everywhere by another one of the same length. */
function withText(bytes: Buffer, { from, to }: { from: string; to: string }): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + to.length)) copy.write(to, at)
  return copy
}

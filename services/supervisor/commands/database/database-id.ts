import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import { renewInstallationId } from '#shared/data/settings/installation.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withSchema } from './database.ts'

/**
 * `listd db new-id`: turns the database of a copy into an installation of its own, so that it can share a NATS with its original.
 * @throws Error with a sentence while a listd runs on the data directory, whose services would continue under the names before
 */
export async function newIdCommand(terminal: Terminal): Promise<void> {
  await withSchema(terminal, async ({ config, db }) => {
    if (await isDataDirectoryLocked(config.dataDir)) {
      throw new Error('a listd is running on this data directory. Stop it first.')
    }
    const id = await renewInstallationId(db)
    terminal.stdout.write(`${id}\n`)
    terminal.stderr.write(
      'This database is an installation of its own now. Restart every service that uses it from another machine.\n',
    )
  })
}

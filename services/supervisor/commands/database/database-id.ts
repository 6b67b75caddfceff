import { isDataDirectoryLocked } from '#shared/data/data-directory-lock.ts'
import { renewInstallationId } from '#shared/data/settings/installation.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withSchema } from './database.ts'

/**
 * `listd db new-id`: turns a copied database into a separate installation, so that it can share a NATS server with its original.
 * @throws Error with a sentence while a listd runs on the data directory: its services would continue under the old names
 */
export async function newIdCommand(terminal: Terminal): Promise<void> {
  await withSchema(terminal, async ({ config, db }) => {
    if (await isDataDirectoryLocked(config.dataDir)) {
      throw new Error('a listd is running on this data directory. Stop it first.')
    }
    const id = await renewInstallationId(db)
    terminal.stdout.write(`${id}\n`)
    terminal.stderr.write(
      'This database is now a separate installation. Restart every service that uses it from another machine.\n',
    )
  })
}

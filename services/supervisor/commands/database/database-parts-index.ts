import { loadConfig } from '#shared/config/load.ts'
import { buildPartsIndex, dropPartsIndex, readPartsIndex } from '#shared/data/item-pages/parts-index.ts'
import { isOnServer } from '../../master-key.ts'
import { serverTool } from '../../processes/server-tool.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withSchema } from './database.ts'

/** One connection, and a statement that may take a day. */
const options = { pool: 1, statementMs: 86_400_000 } as const

/**
 * `listd db parts-index`: builds the index of the parts of texts on Postgres, while listd runs; `--drop` drops it. It may be stopped at
 * any point and called again.
 * @throws Error with a sentence on another database, while another command builds it, or when an extension is missing
 */
export async function partsIndexCommand(terminal: Terminal, { drop }: { drop?: true }): Promise<void> {
  assertPostgres(terminal)
  const report = (text: string) => void terminal.stderr.write(`${text}\n`)
  await withSchema(
    terminal,
    async ({ db }) => {
      const { state } = await readPartsIndex(db)
      if (state === 'building')
        throw new Error('another command is building the index of parts of texts. Wait until it ends.')
      if (drop) {
        if (state !== 'absent') await dropPartsIndex(db)
        return report(
          state === 'absent' ? 'There is no index of parts of texts.' : 'Dropped the index of parts of texts.',
        )
      }
      if (state === 'ready') return report('The index of parts of texts already exists.')
      if (state === 'unfinished') report('Dropping what an unfinished build left.')
      report('Building the index of parts of texts. Press ctrl-c to stop; the next call starts over.')
      await buildPartsIndex(db)
      report('Filters for a part of a text use it from now on.')
    },
    options,
  )
}

function assertPostgres({ env }: Terminal): void {
  const config = loadConfig({ env })
  const { url } = config.database
  if (/^postgres(ql)?:/.test(url)) return
  const place = isOnServer(config) ? serverTool(url).place : 'the database is SQLite'
  throw new Error(`an index of parts of texts needs Postgres, and ${place}. Nothing was changed.`)
}

import { writeFile } from 'node:fs/promises'
import { parseLossless } from '#client/src/json.ts'
import type { SyncExport } from '#client/src/main.ts'
import { printable } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { withExplainedErrors } from './answer-failure.ts'
import { connect } from './connection.ts'

export type PullOptions = { scope?: string; tagged?: string; lists?: string; out?: string }

/**
 * `listd schema pull`: the lists of the server as a document, byte for byte the same as long as they are: its fields in the order
 * of the server, lists and indexes by path name, numbers as they were written. Warnings go to standard error.
 */
export async function pullCommand(terminal: Terminal, options: PullOptions): Promise<void> {
  const { document, warnings } = await exportedLists(terminal, options)
  for (const warning of warnings) terminal.stderr.write(`${printable(warning)}\n`)
  const text = `${JSON.stringify(document, null, 2)}\n`
  if (options.out === undefined) terminal.stdout.write(text)
  else await writeFile(options.out, text)
}

/** The answer of `GET /sync-schema` with numbers that a double cannot hold as they were written. */
export function exportedLists(terminal: Terminal, { scope, tagged, lists }: PullOptions): Promise<SyncExport> {
  return withExplainedErrors(async () => {
    const text = await connect(terminal).sync.export({ scope, tagged, lists }).text()
    return sorted(parseLossless(text) as SyncExport)
  })
}

function sorted({ document, warnings }: SyncExport): SyncExport {
  const lists = byKey(document.lists)
  for (const list of Object.values(lists)) if (list.indexes) list.indexes = byKey(list.indexes)
  return { document: { ...document, lists }, warnings }
}

function byKey<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)))
}

import { writeFile } from 'node:fs/promises'
import { parseLossless } from '#client/src/json.ts'
import type { SyncDocument, SyncExport } from '#client/src/main.ts'
import { byKey } from '#shared/json/by-key.ts'
import { formatJson, printable } from '../listing.ts'
import type { Terminal } from '../terminal.ts'
import { withExplainedErrors } from './answer-failure.ts'
import { connect } from './connection.ts'

export type PullOptions = { scope?: string; tagged?: string; lists?: string; out?: string }

/** `listd schema pull`: the lists of the server as a document, byte for byte the same as long as they are. */
export async function pullCommand(terminal: Terminal, options: PullOptions): Promise<void> {
  const document = await exportedDocument(terminal, options)
  const text = formatJson(document)
  if (options.out === undefined) terminal.stdout.write(text)
  else await writeFile(options.out, text)
}

/**
 * The document of `GET /sync-schema`: lists and indexes by path name, their fields in the order of the server, numbers as they
 * were written. Warnings go to standard error.
 */
export async function exportedDocument(
  terminal: Terminal,
  { scope, tagged, lists }: PullOptions,
): Promise<SyncDocument> {
  const text = await withExplainedErrors(() => connect(terminal).sync.export({ scope, tagged, lists }).text())
  const { document, warnings } = parseLossless(text) as SyncExport
  for (const warning of warnings) terminal.stderr.write(`${printable(warning)}\n`)
  const sorted = sortedByKey(document.lists)
  for (const list of Object.values(sorted)) if (list.indexes) list.indexes = sortedByKey(list.indexes)
  return { ...document, lists: sorted }
}

function sortedByKey<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(byKey))
}

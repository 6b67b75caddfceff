import type { SyncDocument } from '#client/src/main.ts'
import { byKey } from '#shared/json/by-key.ts'
import { replaceFile } from '../../replace-file.ts'
import { CommandFailed, exitCodes } from '../../terminal/command-failed.ts'
import { formatJson, printable } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'

export type PullOptions = { scope?: string; tagged?: string; lists?: string; out?: string }

/** `listd schema pull`: the lists of the server as a document, which stays byte for byte the same until they change. */
export async function pullCommand(terminal: Terminal, options: PullOptions): Promise<void> {
  const document = await exportedDocument(terminal, options)
  const text = formatJson(document)
  if (options.out === undefined) terminal.stdout.write(text)
  else await replaceFile(options.out, text)
}

/**
 * The document of `GET /sync-schema`: lists and indexes by path name, their fields in the order of the server, numbers as they
 * were written. Warnings go to standard error.
 */
export async function exportedDocument(
  terminal: Terminal,
  { scope, tagged, lists }: PullOptions,
): Promise<SyncDocument> {
  const { document, warnings } = await withExplainedErrors(async () => {
    const client = connect(terminal)
    const exported = await client.sync.export({ scope, tagged, lists })
    const named = lists?.split(',').flatMap((name) => name.trim() || []) ?? []
    // A list may be missing because of the other options, or because it was named by id; one that does not exist is a mistake.
    for (const name of named) if (!Object.hasOwn(exported.document.lists, name)) await client.lists.get(name)
    if (scope !== undefined && (tagged ?? lists) === undefined) assertHasScope(exported.document, scope)
    return exported
  })
  for (const warning of warnings) terminal.stderr.write(`${printable(warning)}\n`)
  const sorted = sortedByKey(document.lists)
  for (const list of Object.values(sorted)) if (list.indexes) list.indexes = sortedByKey(list.indexes)
  return { ...document, lists: sorted }
}

/** A scope without lists is most likely a typo, and its empty document would overwrite another one. */
function assertHasScope({ lists }: SyncDocument, scope: string): void {
  if (Object.keys(lists).length > 0) return
  throw new CommandFailed(`No list that the token may view has the scope "${scope}".`, exitCodes.notFound)
}

function sortedByKey<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(byKey))
}

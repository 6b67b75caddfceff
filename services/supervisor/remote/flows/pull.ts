import { join } from 'node:path'
import type { Client } from '#client/src/main.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { createFolder } from '#shared/files/create-folder.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { arrayElements } from '#shared/json/text/offsets.ts'
import { replaceFile } from '../../replace-file.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { ProfileOptions } from '../sessions/with-profile.ts'
import { type KeptFlow, readKeptFlow } from './kept-flow.ts'
import { withClient } from './with-client.ts'

/** `listd flows pull`: prints a flow as a definition that `push` accepts, or writes each flow to a file in a folder. */
export async function pullFlowsCommand(
  terminal: Terminal,
  name: string | undefined,
  options: ProfileOptions & { out?: string },
): Promise<void> {
  const { out } = options
  if (name === undefined && out === undefined)
    throw new Error('specify a flow, or use --out with a folder for the files of all flows.')
  await withClient(terminal, options, async (client) => {
    if (name === undefined) return await pullAll(terminal, client, out ?? '')
    const text = definitionText(readKeptFlow(await client.flowDefinitions.get(name).text()))
    if (out === undefined) terminal.stdout.write(text)
    else await replaceFile(out, text)
  })
}

async function pullAll({ stderr }: Terminal, client: Client, folder: string): Promise<void> {
  await createFolder(folder)
  const used = new Set<string>()
  for await (const flow of allFlows(client)) {
    const file = fileNameOf(flow, used)
    used.add(file)
    await replaceFile(join(folder, file), definitionText(flow))
  }
  stderr.write(`Wrote ${counted(used.size, 'flow')} to ${folder}.\n`)
}

/** All flows in the order of their creation, so that each gets the same file name the next time. */
export async function* allFlows({ flowDefinitions }: Client): AsyncGenerator<KeptFlow> {
  // A flow may have half a mebibyte.
  const pages = flowDefinitions.all({ order: 'createdAt', direction: 'asc', limit: 10, includeDocument: true })
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const text = await pages.after(cursor).text()
    const rows = findAt(text, '/data') ?? '[]'
    for (const { start, end } of arrayElements(rows, 0)) yield readKeptFlow(rows.slice(start, end))
    cursor = (JSON.parse(text) as { next: string | null }).next
  }
}

/** A definition that `push` accepts, laid out for people; its texts differ from those of the server only in white space. */
export function definitionText({ document, tests, activated, logged }: KeptFlow): string {
  const settings = JSON.stringify({ activated, logged }).slice(1)
  return `${layOut(`{"document":${document},"tests":${tests},${settings}`)}\n`
}

/** The file name for a flow: letters and digits of its name, followed by its id if another flow already has that file name. */
export function fileNameOf({ name, id }: Pick<KeptFlow, 'name' | 'id'>, used: ReadonlySet<string>): string {
  const letters = name
    .toLowerCase()
    .normalize('NFC')
    .match(/[\p{L}\p{N}]+/gu) ?? ['flow']
  const short = Array.from(letters.join('-')).slice(0, 50).join('')
  return used.has(`${short}.json`) ? `${short}-${id}.json` : `${short}.json`
}

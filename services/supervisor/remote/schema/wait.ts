import type { Client } from '#client/src/main.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { formatJson } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { withExplainedErrors } from '../answer-failure.ts'
import { connect } from '../connection.ts'
import { type BuildRef, type FinishedBuild, throwIfFailed, waitForBuilds } from './wait-for-builds.ts'

/**
 * `listd schema wait`: waits until the indexes of the lists are built. Standard output says how many there are, or lists them as JSON.
 * @param lists path names or ids; empty: all lists
 * @throws CommandFailed when a build has failed, even before this call
 */
export async function waitCommand(
  terminal: Terminal,
  lists: readonly string[],
  { json }: { json?: true },
): Promise<void> {
  const finished = await withExplainedErrors(async () => {
    const client = connect(terminal)
    const found = await indexesOf(client, lists)
    const pending = found.filter(({ buildStatus }) => buildStatus === 'building')
    const built = await waitForBuilds(terminal, client, pending)
    return [...found.filter(({ buildStatus }) => buildStatus !== 'building'), ...built] as FinishedBuild[]
  })
  if (json) terminal.stdout.write(formatJson(finished))
  throwIfFailed(finished)
  const ready = finished.filter(({ buildStatus }) => buildStatus === 'ready').length
  if (!json) terminal.stdout.write(`${counted(ready, 'index is', 'indexes are')} ready.\n`)
}

type Found = BuildRef & { buildStatus: FinishedBuild['buildStatus'] | 'building' }

async function indexesOf(client: Client, lists: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  for (const list of lists.length > 0 ? lists : await pathNames(client)) {
    for await (const { pathName, buildStatus } of client.list(list).indexes.all()) {
      found.push({ list, index: pathName, buildStatus })
    }
  }
  return found
}

async function pathNames(client: Client): Promise<string[]> {
  const names: string[] = []
  for await (const { pathName } of client.lists.all()) names.push(pathName)
  return names
}

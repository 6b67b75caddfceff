import { setTimeout as pause } from 'node:timers/promises'
import { type Client, type Index, ListdError } from '#client/src/main.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { CommandFailed, exitCodes } from '../../terminal/command-failed.ts'
import { createProgressLine } from '../../terminal/progress-line.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { pathOf } from './path-of.ts'

/** An index by the path names of its list and of itself. */
export type BuildRef = { list: string; index: string }

/** How a build ended; `hidden`: the index no longer exists, or the token may not view it. */
export type FinishedBuild = BuildRef & { buildStatus: 'ready' | 'failed' | 'hidden' }

const pollMs = 500
/** How many indexes are checked in a round: they are built one after the other. */
const perRound = 20

/** Waits until no index is being built, and says so on standard error as each is finished. */
export async function waitForBuilds(
  terminal: Terminal,
  client: Client,
  builds: readonly BuildRef[],
): Promise<FinishedBuild[]> {
  const finished: FinishedBuild[] = []
  const show = createProgress(terminal)
  let waiting = [...builds]
  while (waiting.length > 0) {
    const round = waiting.slice(0, perRound)
    const still: BuildRef[] = []
    for (const build of round) {
      const buildStatus = await statusOf(client, build)
      if (buildStatus === 'building') still.push(build)
      else finished.push({ ...build, buildStatus })
    }
    waiting = [...still, ...waiting.slice(perRound)]
    show(finished, waiting)
    if (still.length > 0) await pause(pollMs)
  }
  return finished
}

async function statusOf(client: Client, { list, index }: BuildRef): Promise<Index['buildStatus'] | 'hidden'> {
  try {
    return (await client.list(list).indexes.get(index)).buildStatus
  } catch (error) {
    if (error instanceof ListdError && (error.status === 403 || error.status === 404)) return 'hidden'
    throw error
  }
}

/** A line for each finished build; on a terminal also one for the builds in progress. */
function createProgress(terminal: Terminal) {
  const line = createProgressLine(terminal)
  let shown = 0
  return (finished: readonly FinishedBuild[], waiting: readonly BuildRef[]) => {
    line.clear()
    for (const build of finished.slice(shown)) {
      terminal.stderr.write(`${pathOf(build)}: ${outcomes[build.buildStatus]}\n`)
    }
    shown = finished.length
    const [next] = waiting
    if (!next) return
    const of = `${finished.length} of ${counted(finished.length + waiting.length, 'index', 'indexes')} finished`
    line.show(`${of}; building ${pathOf(next)} …`)
  }
}

const outcomes: Readonly<Record<FinishedBuild['buildStatus'], string>> = {
  ready: 'ready',
  failed: 'failed',
  hidden: 'deleted meanwhile, or the token may not view it: not waited for',
}

/** @throws CommandFailed that names the indexes whose build has failed */
export function throwIfFailed(builds: readonly FinishedBuild[]): void {
  const failed = builds.filter(({ buildStatus }) => buildStatus === 'failed')
  if (failed.length === 0) return
  const names = failed.map(pathOf).join(', ')
  const advice =
    'Each has an event index-build-failed that names the items; correct them, then build the index again with POST …/rebuild.'
  throw new CommandFailed(`The build has failed: ${names}. ${advice}`, exitCodes.buildFailed)
}

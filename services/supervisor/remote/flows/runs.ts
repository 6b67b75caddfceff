import { type FlowRun, ListdError } from '#client/src/main.ts'
import type { FlowRunsOptions } from '#client/src/manage.ts'
import { formatJson, listing, maxRows } from '../../terminal/listing.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { type ProfileOptions, type SignedInUser, withProfile } from '../sessions/with-profile.ts'
import { showRun } from './one-run.ts'

export type RunsOptions = ProfileOptions & {
  run?: string
  status?: FlowRun['status']
  startAt?: string
  endAt?: string
  limit: string
  json?: true
}

/** `listd flows runs`: the newest runs of one flow or all flows, or one run with its steps; the JSON is that of the API. */
export async function flowRunsCommand(
  terminal: Terminal,
  flow: string | undefined,
  options: RunsOptions,
): Promise<void> {
  const { run, json } = options
  if (run !== undefined)
    return showRun(terminal, await withProfile(terminal, options, (user) => user.flowRuns.get(run)), { json })
  const limit = readLimit(options.limit)
  await withProfile(terminal, options, async (user) => {
    const flowId = flow === undefined ? undefined : (await user.client.flowDefinitions.get(flow)).id
    const found = await user.flowRuns.all(filtersOf(options, flowId)).toArray(limit + 1)
    const runs = found.slice(0, limit)
    terminal.stdout.write(json ? formatJson(runs) : listing(await rowsOf(user, runs), { columns }))
    if (found.length > limit) terminal.stderr.write(`Only the newest ${limit} are shown; --limit shows more.\n`)
  })
}

function readLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit < maxRows) return limit
  throw new Error(`--limit must be a number from 1 to ${maxRows - 1}.`)
}

function filtersOf({ status, startAt, endAt }: RunsOptions, flowId: string | undefined): FlowRunsOptions {
  const where = { ...(flowId !== undefined && { flowId }), ...(status !== undefined && { status }) }
  return { where, startAt, endAt }
}

const columns = {
  started: 'startedAt',
  run: 'id',
  flow: 'flow',
  version: 'flowVersion',
  status: 'status',
  answer: 'answer',
  writes: 'writes',
  emits: 'emits',
} as const

async function rowsOf(user: SignedInUser, runs: readonly FlowRun[]) {
  const names = await namesOf(user, new Set(runs.map(({ flowId }) => flowId)))
  return runs.map(({ startedAt, id, flowId, flowVersion, status, answer, error, writes, emits }) => ({
    startedAt,
    id,
    flow: names.get(flowId) ?? flowId,
    flowVersion,
    status,
    answer: error ? `${error.status} ${error.code}` : (answer?.status ?? null),
    writes: writes.length,
    emits: emits.length,
  }))
}

/** The names of flows by their ids; runs can outlive their flow. */
async function namesOf({ client }: SignedInUser, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const named = new Map<string, string>()
  for (const id of ids) {
    const flow = await client.flowDefinitions.get(id).catch((error: unknown) => {
      if (error instanceof ListdError && error.status === 404) return null
      throw error
    })
    if (flow) named.set(id, flow.name)
  }
  return named
}

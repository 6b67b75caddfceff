import type { FlowRunsOptions } from '#client/src/flow-runs.ts'
import { route } from '#client/src/transport.ts'
import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { here, hrefOf, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { account, client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Pick } from '../../parts/controls/pick.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { Table } from '../../parts/display/table.tsx'
import { Ago, count } from '../../parts/display/text.tsx'
import { type ActorNames, readActorNames } from '../../parts/events/actors.ts'
import { NoneFound, Turn } from '../../parts/page/cursor-pages.tsx'
import { Empty, Loaded } from '../../parts/problems/problem.tsx'
import { spanChoices, spanStart } from '../../parts/spans.ts'
import { resultWords, runTone } from './run-words.ts'
import { runsKey } from './runs-key.ts'
import { startedBy } from './started-by.ts'

const pageSize = 50
const filters = ['status', 'trigger', 'since', 'from', 'after'] as const

type View = Record<(typeof filters)[number], string>

function viewOf({ query }: { query: URLSearchParams }): View {
  return Object.fromEntries(filters.map((name) => [name, query.get(name) ?? ''])) as View
}

/** The runs of a flow, or of all flows, newest first. */
export function Runs({ flowId }: { flowId?: string }) {
  const view = viewOf(here.value)
  const runs = useResource(`${runsKey} ${flowId} ${JSON.stringify(view)}`, (signal) => readRuns(view, flowId, signal))
  return (
    <>
      <RunsBar view={view} />
      <Loaded resource={runs}>
        {({ data, next, names, actors }) => (
          <>
            {data.length > 0 ? (
              <RunTable runs={data} names={names} actors={actors} />
            ) : (
              <NoRuns isFiltered={view.status + view.trigger + view.from !== ''} next={next} />
            )}
            <Turn next={next} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** A page of runs. For runs of all flows, also the names of the flows. */
async function readRuns({ status, trigger, from, after }: View, flowId: string | undefined, signal: AbortSignal) {
  const given = { ...(flowId && { flowId }), ...(status && { status }), ...(trigger && { trigger }) }
  // The address may contain any words: the service rejects unknown ones.
  const where = given as NonNullable<FlowRunsOptions['where']>
  const page = await account.flowRuns.all({ where, startAt: from || undefined, limit: pageSize, signal }).after(after)
  const actors = await readActorNames(page.data, signal)
  if (flowId !== undefined) return { ...page, names: null, actors }
  const flows = await client.flowDefinitions.all({ limit: 100, signal }).page(1)
  return { ...page, actors, names: new Map(flows.data.map(({ id, name }) => [id, name])) }
}

function RunsBar({ view: { status, trigger, since } }: { view: View }) {
  const set = (changes: Partial<View>) => {
    const all = Object.entries({ ...changes, after: '' }).map(([name, value]) => [name, value || null])
    navigate(withQuery(here.value, Object.fromEntries(all)))
  }
  return (
    <div class="bar">
      <Pick
        label="State"
        value={status}
        onValue={(value) => set({ status: value })}
        choices={[
          ['', 'Any state'],
          ['failed', 'failed'],
          ['refused', 'refused'],
          ['succeeded', 'succeeded'],
        ]}
      />
      <Pick
        label="Started by"
        value={trigger}
        onValue={(value) => set({ trigger: value })}
        choices={[
          ['', 'Started by anything'],
          ['endpoint', 'a request'],
          ['public', 'a request by anybody'],
          ['hand', 'a person'],
        ]}
      />
      <Pick
        label="When"
        value={since}
        // The address contains the start time of the span, so that it keeps showing the same runs.
        onValue={(value) => set({ since: value, from: spanStart(value, Date.now()) ?? '' })}
        choices={spanChoices}
      />
    </div>
  )
}

type RunTableProps = {
  runs: readonly FlowRun[]
  /** The names of flows by id; null: all runs are of the same flow. */
  names: ReadonlyMap<string, string> | null
  actors: ActorNames
}

function RunTable({ runs, names, actors }: RunTableProps) {
  return (
    <Table
      columns={[
        names ? 'flow' : 'run',
        'state',
        'result',
        'by',
        { figures: 'version' },
        { figures: 'took' },
        'started',
      ]}
    >
      <tbody>
        {runs.map(({ id, flowId, status, flowVersion, durationMs, startedAt, ...run }) => (
          <tr key={id}>
            <td class={names ? 'lead' : 'lead mono'}>
              <a href={hrefOf(route`/runs/${id}`)}>
                {names ? (names.get(flowId) ?? `…${flowId.slice(-12)}`) : `…${id.slice(-12)}`}
              </a>
            </td>
            <td class="aside">
              <Pill tone={runTone[status]}>{status}</Pill>
            </td>
            <td class="muted under">{resultWords(run)}</td>
            <td class="muted optional">{startedBy(run, actors)}</td>
            <td class="num optional">{flowVersion}</td>
            <td class="num optional">{count(durationMs)} ms</td>
            <td class="muted when">
              <Ago at={startedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function NoRuns({ isFiltered, next }: { isFiltered: boolean; next: string | null }) {
  if (isFiltered || next !== null) return <NoneFound next={next} what="run" />
  return (
    <Empty title="Nothing has run yet">
      Each run is recorded: its input, every step with its values, its writes and its response.
    </Empty>
  )
}

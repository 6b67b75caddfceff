import { route } from '../../../../client/src/transport.ts'
import { account, client } from '../../api/client.ts'
import { toListdError, useResource } from '../../api/resource.ts'
import { LinkButton } from '../../parts/button.tsx'
import { Pill } from '../../parts/marks.tsx'
import { type Crumb, Page } from '../../parts/page.tsx'
import { Empty, Problem, Skeleton } from '../../parts/problem.tsx'
import { count, sentence } from '../../parts/text.tsx'
import { flowsCrumb } from '../flows/flow-page.tsx'
import { textsOf } from '../flows/flow-texts.ts'
import { RunSide } from './run-side.tsx'
import { RunSteps } from './run-steps.tsx'
import { expressionAt, pointedLine, readRun, type ShownRun } from './run-text.ts'
import { failurePlace, resultWords, runTone } from './run-words.ts'
import { runsKey } from './runs.tsx'

const runsCrumb: Crumb = { to: '/runs', label: 'Runs' }

/** What is known of a run; `flowName` null: its flow is gone. */
type Read = { shown: ShownRun; flowName: string | null; pointed: string | undefined }

/** One run: what started it, each step with its values, what it came to, and the way to do it again. */
export function RunPage({ run: id }: { run: string }) {
  const { data, error, reload } = useResource(`${runsKey} run ${id}`, (signal) => readAll(id, signal), { stays: true })
  if (error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoRun />
  if (data) return <Shown {...data} />
  return (
    <Page title="Run" crumbs={[flowsCrumb, runsCrumb]}>
      {error ? (
        <div class="pad">
          <Problem error={error} onRetry={reload} />
        </div>
      ) : (
        <Skeleton />
      )}
    </Page>
  )
}

async function readAll(id: string, signal: AbortSignal): Promise<Read> {
  const shown = readRun(await account.flowRuns.get(id, { signal }).text())
  const { flowId } = shown.run
  const [flow, pointed] = await Promise.all([
    unlessGone(client.flowDefinitions.get(flowId, { signal })),
    readPointed(shown, signal),
  ])
  return { shown, flowName: flow?.name ?? null, pointed }
}

/** The line of the expression that failed, from the document that was run; undefined: there is none, or it is no longer kept. */
async function readPointed({ run }: ShownRun, signal: AbortSignal): Promise<string | undefined> {
  const { path, line, column } = run.error ?? {}
  if (path === undefined || line === undefined || column === undefined) return undefined
  const version = client.flowDefinitions.version(run.flowId, run.flowVersion, { signal })
  const answer = await unlessGone(version.text())
  const text = answer && expressionAt(textsOf(answer).document, path)
  return text ? pointedLine(text, { line, column }) : undefined
}

async function unlessGone<T>(read: PromiseLike<T>): Promise<T | null> {
  try {
    return await read
  } catch (failure) {
    if (toListdError(failure).status === 404) return null
    throw failure
  }
}

function Shown({ shown, flowName, pointed }: Read) {
  const { run } = shown
  const name = flowName ?? 'a flow that is gone'
  const crumbs = flowName === null ? [] : [{ to: route`/flows/${run.flowId}?tab=runs`, label: flowName }]
  return (
    <Page
      title={`Run of ${name}`}
      crumbs={[flowsCrumb, ...crumbs]}
      marks={<Pill tone={runTone[run.status]}>{run.status}</Pill>}
      lead={leadOf(shown)}
    >
      <div class="split wide">
        <section class="run-steps" aria-label="Steps">
          <RunSteps shown={shown} error={run.error} pointed={pointed} />
        </section>
        <RunSide shown={shown} hasFlow={flowName !== null} />
      </div>
    </Page>
  )
}

function leadOf({ run }: ShownRun): string {
  const { error, status, durationMs } = run
  const took = `${count(durationMs)} ms`
  if (!error) return `It ${resultWords(run)} after ${took}, and everything it did was kept.`
  const place = failurePlace(error)
  const why = status === 'refused' ? 'Its input was refused' : `It failed${place && ` ${place}`}`
  return sentence(`${why}, after ${took}: nothing of it was kept`)
}

function NoRun() {
  return (
    <Page title="There is no such run" crumbs={[flowsCrumb, runsCrumb]}>
      <Empty title="No run has this id" action={<LinkButton to="/runs">See all runs</LinkButton>}>
        It may be no longer kept, its flow may keep failures only, or it is in another account.
      </Empty>
    </Page>
  )
}

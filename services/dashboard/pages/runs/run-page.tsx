import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { navigate } from '../../address/location.ts'
import { account, client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { textsOf } from '../../api/flow-texts.ts'
import { refresh } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { Agree } from '../../forms/form-dialog.tsx'
import { announce } from '../../parts/controls/announce.tsx'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { Pill } from '../../parts/display/marks.tsx'
import { count, sentence } from '../../parts/display/text.tsx'
import { type ActorNames, readActorNames } from '../../parts/events/actors.ts'
import { flowsCrumb, runsCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { UnreadPage } from '../../parts/page/unread-page.tsx'
import { Empty } from '../../parts/problems/problem.tsx'
import { RunSide } from './run-side.tsx'
import { RunWay } from './run-steps.tsx'
import { pointedIn, readRun, type ShownRun } from './run-text.ts'
import { failurePlace, resultWords, runTone } from './run-words.ts'
import { runsKey } from './runs-key.ts'

/** The data of the page. `flowName` null: the flow was deleted; `document` null: the version that ran is no longer kept. */
type Read = {
  shown: ShownRun
  flowName: string | null
  document: string | null
  pointed: string | undefined
  names: ActorNames
}

/** One run: what started it, its steps with their values, its result, and a button to repeat it. */
export function RunPage({ run: id }: { run: string }) {
  const run = useResource(`${runsKey} run ${id}`, (signal) => readAll(id, signal), { stays: true })
  if (run.error?.name === 'REQUESTED_ENTITY_NOT_FOUND') return <NoRun />
  if (run.data) return <Shown {...run.data} />
  return <UnreadPage title="Run" crumbs={[flowsCrumb, runsCrumb]} resource={run} />
}

async function readAll(id: string, signal: AbortSignal): Promise<Read> {
  const shown = readRun(await account.flowRuns.get(id, { signal }).text())
  const { flowId, flowVersion, error } = shown.run
  const [flow, answer, names] = await Promise.all([
    unlessGone(client.flowDefinitions.get(flowId, { signal })),
    unlessGone(client.flowDefinitions.version(flowId, flowVersion, { signal }).text()),
    readActorNames([shown.run], signal),
  ])
  const document = answer === null ? null : textsOf(answer).document
  return {
    shown,
    flowName: flow?.name ?? null,
    document,
    pointed: document === null ? undefined : pointedIn(document, error),
    names,
  }
}

async function unlessGone<T>(read: PromiseLike<T>): Promise<T | null> {
  try {
    return await read
  } catch (failure) {
    if (toListdError(failure).status === 404) return null
    throw failure
  }
}

function Shown({ shown, flowName, document, pointed, names }: Read) {
  const { run } = shown
  const name = flowName ?? 'a deleted flow'
  const crumbs = flowName === null ? [] : [{ to: route`/flows/${run.flowId}?tab=runs`, label: flowName }]
  return (
    <Page
      title={`Run of ${name}`}
      crumbs={[flowsCrumb, ...crumbs]}
      marks={<Pill tone={runTone[run.status]}>{run.status}</Pill>}
      lead={leadOf(shown)}
      actions={flowName !== null && shown.input !== null && <Repeat run={run} />}
    >
      <div class="split wide">
        <section aria-label="Steps">
          <RunWay key={run.id} document={document} shown={shown} error={run.error} pointed={pointed} />
        </section>
        <RunSide shown={shown} hasFlow={flowName !== null} names={names} />
      </div>
    </Page>
  )
}

/** Runs the flow again with the same input. */
function Repeat({ run: { id } }: { run: FlowRun }) {
  const [asks, setAsks] = useState(false)
  const repeat = async () => {
    const again = await account.flowRuns.repeat(id)
    refresh(runsKey)
    navigate(route`/runs/${again.id}`)
    announce('This is the new run.')
  }
  return (
    <>
      <Button icon="again" onPress={() => setAsks(true)}>
        Repeat…
      </Button>
      {asks && (
        <Agree title="Run it again?" action="Run it again" onAgree={repeat} onClose={() => setAsks(false)}>
          <p>
            The current version of the flow runs with the same input and seed, without identity and token. It writes and
            emits like any run.
          </p>
        </Agree>
      )}
    </>
  )
}

function leadOf({ run }: ShownRun): string {
  const { error, status, durationMs } = run
  const took = `${count(durationMs)} ms`
  if (!error) return `It ${resultWords(run)} after ${took}, and its changes were kept.`
  const place = failurePlace(error)
  const why = status === 'refused' ? 'Its input was rejected' : `It failed${place && `: ${place}`}`
  return sentence(`${why}, after ${took}: none of its changes were kept`)
}

function NoRun() {
  return (
    <Page title="Run not found" crumbs={[flowsCrumb, runsCrumb]}>
      <Empty title="No run has this id" action={<LinkButton to="/runs">See all runs</LinkButton>}>
        Its retention may be over, its flow may keep failures only, or it is in another account.
      </Empty>
    </Page>
  )
}

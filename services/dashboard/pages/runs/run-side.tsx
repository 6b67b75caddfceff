import { route } from '#client/src/transport.ts'
import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { Link } from '../../parts/controls/button.tsx'
import { CopiedId } from '../../parts/controls/copy.tsx'
import { Facts, Pill } from '../../parts/display/marks.tsx'
import { At, count, countOf, milliseconds } from '../../parts/display/text.tsx'
import type { ActorNames } from '../../parts/events/actors.ts'
import { Value } from './run-steps.tsx'
import type { ShownRun } from './run-text.ts'
import { startedBy } from './started-by.ts'

type RunSideProps = { shown: ShownRun; hasFlow: boolean; names: ActorNames }

/** The input and the result of a run, next to its steps. */
export function RunSide({ shown: { run, steps, input, body }, hasFlow, names }: RunSideProps) {
  const { id, flowId, flowVersion, trigger, actor, startedAt, durationMs, attempts, fuel, answer } = run
  const inSteps = steps.reduce((sum, step) => sum + (step.durationMs ?? 0), 0)
  return (
    <aside class="stack" aria-label="The run">
      <Facts
        facts={[
          ['started', <At key="at" at={startedAt} />],
          [
            'by',
            <StartedBy key="by" to={actor?.tokenId ? route`/tokens/${actor.tokenId}` : null}>
              {startedBy(run, names)}
            </StartedBy>,
          ],
          ['took', `${count(durationMs)} ms${inSteps > 0 ? `, ${milliseconds(inSteps)} of it in its steps` : ''}`],
          ['request', <CopiedId key="request" id={trigger.requestId} what="The request id" />],
          ['run', <CopiedId key="run" id={id} what="The run id" />],
          [
            'version',
            hasFlow ? (
              <Link key="version" to={route`/flows/${flowId}?tab=versions`}>
                {flowVersion}
              </Link>
            ) : (
              flowVersion
            ),
          ],
          ['attempts', count(attempts)],
          ['expressions', countOf(fuel, 'step')],
        ]}
      />
      <section class="stack" aria-label="Input and answer">
        <h2>Input</h2>
        {input === null ? <p class="muted">It was too long to keep.</p> : <Value name="" value={input} />}
        <Answer answer={answer} body={body} />
      </section>
      <Writes run={run} />
      <Emits run={run} />
    </aside>
  )
}

function StartedBy({ to, children }: { to: string | null; children: string }) {
  return to === null ? children : <Link to={to}>{children}</Link>
}

/** The response of a run. */
export function Answer({ answer, body }: { answer: FlowRun['answer']; body: string | null }) {
  if (!answer) return null
  return (
    <>
      <h2>Answer {answer.status}</h2>
      {Object.entries(answer.headers).map(([name, value]) => (
        <Value key={name} name={name} value={JSON.stringify(value)} />
      ))}
      {body !== null && <Value name="" value={body} />}
      {answer.cut && <p class="muted">Its body was too long to keep.</p>}
      {body === null && !answer.cut && <p class="muted">It has no body.</p>}
    </>
  )
}

const opTones = { create: 'good', update: 'accent', delete: 'bad' } as const

/** The items that a run changed; `isDry`: that it would change. */
export function Writes({ run: { writes }, isDry = false }: { run: Pick<FlowRun, 'writes'>; isDry?: boolean }) {
  return (
    <section class="stack" aria-label="Writes">
      <h2>{isDry ? 'Would write' : 'Writes'}</h2>
      {writes.length === 0 && <p class="muted">No item {isDry ? 'would be' : 'was'} changed.</p>}
      <ul class="tests">
        {writes.map(({ op, list, itemId, version, node }) => (
          <li key={itemId}>
            <Pill tone={opTones[op]}>{op}</Pill>
            <div>
              {isDry && op === 'create' ? (
                list
              ) : (
                <Link to={route`/lists/${list}/items/${itemId}`}>{`${list} …${itemId.slice(-12)}`}</Link>
              )}
              <span class="muted">
                {' '}
                {version} · {node}
              </span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The webhooks that a run emitted to; `isDry`: that it would emit to. */
export function Emits({ run: { emits }, isDry = false }: { run: Pick<FlowRun, 'emits'>; isDry?: boolean }) {
  if (emits.length === 0) return null
  return (
    <section class="stack" aria-label="Emits">
      <h2>{isDry ? 'Would emit' : 'Emits'}</h2>
      <ul class="tests">
        {emits.map(({ webhookId, eventId, node, skipped }) => (
          <li key={`${eventId} ${webhookId}`}>
            <Pill tone={skipped ? 'warn' : 'good'}>{skipped ? 'skipped' : 'emit'}</Pill>
            <div>
              to the <Link to={route`/webhooks/${webhookId}`}>{`webhook …${webhookId.slice(-12)}`}</Link>{' '}
              {skipped && <span class="muted">which was deleted or inactive</span>}
              {!skipped && !isDry && <Link to={`/deliveries?eventId=${eventId}`}>its deliveries</Link>}
              <span class="muted"> · {node}</span>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

import type { ComponentChildren } from 'preact'
import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { shortened } from '../../parts/display/diff.tsx'
import { Note, Pill } from '../../parts/display/marks.tsx'
import { countOf, milliseconds, sentence } from '../../parts/display/text.tsx'
import { DrawnRun } from '../drawing/drawing.tsx'
import type { RunStep, ShownRun } from './run-text.ts'
import { failurePlace } from './run-words.ts'

type RunStepsProps = {
  shown: Pick<ShownRun, 'steps' | 'omittedSteps' | 'input'>
  error: FlowRun['error']
  /** The line of the expression that failed, with a marker below it for the place. */
  pointed?: string | undefined
}

/** A run as a drawing of its document, or as a list of its steps. `document` null: it is no longer kept. */
export function RunWay({ document, ...props }: RunStepsProps & { document: string | null }) {
  const { shown, error } = props
  if (document === null) {
    return (
      <div class="run-steps">
        <RunSteps {...props} />
      </div>
    )
  }
  return (
    <DrawnRun
      document={document}
      steps={shown.steps}
      failedAt={error?.node ?? null}
      outline={<RunSteps {...props} />}
      about={(node) => (node === null ? <Start {...props} /> : <AboutNode node={node} {...props} />)}
    />
  )
}

/** The steps of a run in order, each with its values, and the failure. */
function RunSteps({ shown: { steps, omittedSteps }, error, pointed }: RunStepsProps) {
  const at = failedStep(steps, omittedSteps, error)
  return (
    <div class="stack">
      {at === -1 && error && <Failure error={error} pointed={pointed} />}
      <ol class="run-list">
        {steps.map((step, n) => (
          <li key={`${n} ${step.node}`} class="card">
            <Step step={step} n={n + 1}>
              {n === at && error && <Failure error={error} pointed={pointed} />}
            </Step>
          </li>
        ))}
      </ol>
      <Omitted count={omittedSteps} />
      {steps.length === 0 && !error && <p class="muted">No steps were kept.</p>}
    </div>
  )
}

/** The index of the step that failed; -1: there is none, or some steps were omitted. */
function failedStep(steps: readonly RunStep[], omitted: number, error: FlowRun['error']): number {
  return error && omitted === 0 ? steps.findLastIndex(({ node }) => node === error.node) : -1
}

function Omitted({ count }: { count: number }) {
  if (count === 0) return null
  return <p class="muted">{countOf(count, 'more step')}: a record keeps at most 64 KiB, so these are only counted.</p>
}

/** The input of a run, and its failure if no step shows it. */
function Start({ shown: { steps, omittedSteps, input }, error, pointed }: RunStepsProps) {
  return (
    <div class="stack">
      {error && failedStep(steps, omittedSteps, error) === -1 && <Failure error={error} pointed={pointed} />}
      {input === null ? <p class="muted">Its input was too long to keep.</p> : <Value name="input" value={input} />}
    </div>
  )
}

/** The first step of the selected node, with its values. */
export function AboutNode({ node, shown: { steps, omittedSteps }, error, pointed }: RunStepsProps & { node: string }) {
  const n = steps.findIndex((step) => step.node === node)
  const step = steps[n]
  const failure = error?.node === node && <Failure error={error} pointed={pointed} />
  if (!step) {
    return (
      <div class="stack">
        {failure || (
          <p class="muted">{omittedSteps > 0 ? `No steps of ${node} were kept.` : `The run did not reach ${node}.`}</p>
        )}
        <Omitted count={omittedSteps} />
      </div>
    )
  }
  return (
    <div class="card">
      <Step step={step} n={n + 1}>
        {failure}
      </Step>
    </div>
  )
}

function Failure({ error, pointed }: { error: NonNullable<FlowRun['error']>; pointed: string | undefined }) {
  const place = failurePlace(error)
  return (
    <Note tone="bad">
      <b>{error.code}</b>
      <p>{sentence(error.message)}</p>
      {place && <p class="muted">{sentence(place)}</p>}
      {pointed && (
        <pre class="code" tabIndex={0}>
          {pointed}
        </pre>
      )}
    </Note>
  )
}

function Step({ step, n, children }: { step: RunStep; n: number; children: ComponentChildren }) {
  const { node, type, port, fuel, durationMs, cut, inputs, result } = step
  return (
    <>
      <header>
        <span class="muted">{n}</span>
        <h2 class="mono">{node}</h2>
        <Pill>{type}</Pill>
        <div class="grow" />
        <span class="muted small">
          {port !== null && port !== 'next' && (
            <>
              continues at <code>{port}</code> ·{' '}
            </>
          )}
          {durationMs !== null && `${milliseconds(durationMs)} · `}
          {countOf(fuel, 'expression step')}
        </span>
      </header>
      <div class="in stack">
        {inputs.map(([name, value]) => (
          <Value key={name} name={name} value={value} />
        ))}
        {children || <Value name="result" value={result} />}
        {cut && <p class="muted small">Values of more than 4 KiB are not kept and appear as null.</p>}
      </div>
    </>
  )
}

/** A value with its name. A value of several lines is below its name. */
export function Value({ name, value }: { name: string; value: string }) {
  const text = shortened(value)
  return (
    <div class={text.includes('\n') ? 'value long' : 'value'}>
      <span class="muted">{name}</span>
      <pre class="code" tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}

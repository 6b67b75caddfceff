import type { ComponentChildren } from 'preact'
import type { FlowRun } from '#client/src/types/flow-resources.ts'
import { shortened } from '../../parts/display/diff.tsx'
import { Note, Pill } from '../../parts/display/marks.tsx'
import { countOf, sentence } from '../../parts/display/text.tsx'
import type { RunStep, ShownRun } from './run-text.ts'
import { failurePlace } from './run-words.ts'

type RunStepsProps = {
  shown: Pick<ShownRun, 'steps' | 'omittedSteps'>
  error: FlowRun['error']
  /** The line of the expression that failed, with the sign that points into it. */
  pointed?: string | undefined
}

/** The steps of a run in their order, each with its values, and where it failed. */
export function RunSteps({ shown: { steps, omittedSteps }, error, pointed }: RunStepsProps) {
  const failed = error && <Failure error={error} pointed={pointed} />
  const at = error && omittedSteps === 0 ? steps.findLastIndex(({ node }) => node === error.node) : -1
  return (
    <div class="stack">
      {at === -1 && failed}
      <ol class="run-list">
        {steps.map((step, n) => (
          <li key={`${n} ${step.node}`} class="card">
            <Step step={step} n={n + 1}>
              {n === at && failed}
            </Step>
          </li>
        ))}
      </ol>
      {omittedSteps > 0 && (
        <p class="muted">{countOf(omittedSteps, 'step')} more: a record keeps 64 KiB, and these are only counted.</p>
      )}
      {steps.length === 0 && !error && <p class="muted">No step is kept.</p>}
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
  const { node, type, port, fuel, cut, inputs, result } = step
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
              on at <code>{port}</code> ·{' '}
            </>
          )}
          {countOf(fuel, 'step')} of expressions
        </span>
      </header>
      <div class="in stack">
        {inputs.map(([name, value]) => (
          <Value key={name} name={name} value={value} />
        ))}
        {children || <Value name="result" value={result} />}
        {cut && <p class="muted small">A value of more than 4 KiB is not kept; null stands for it.</p>}
      </div>
    </>
  )
}

/** A value by its name; one that is long has its own lines. */
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

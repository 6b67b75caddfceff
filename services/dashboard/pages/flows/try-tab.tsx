import { useState } from 'preact/hooks'
import { RawJson } from '#client/src/json.ts'
import { route } from '#client/src/transport.ts'
import type { FlowDefinition } from '#client/src/types/flow-resources.ts'
import { maxJsonDepth } from '#shared/domain/limits.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { type FlowTexts, firstInput } from '../../api/flow-texts.ts'
import { refresh } from '../../api/reader.ts'
import { Agree } from '../../forms/form-dialog.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { TextField } from '../../parts/controls/field.tsx'
import { Note } from '../../parts/display/marks.tsx'
import { Empty, Problem } from '../../parts/problems/problem.tsx'
import { Answer, Emits, Writes } from '../runs/run-side.tsx'
import { RunWay } from '../runs/run-steps.tsx'
import { pointedIn, readRun, type ShownRun } from '../runs/run-text.ts'
import { runsKey } from '../runs/runs-key.ts'

type TryTabProps = {
  flow: FlowDefinition
  /** Its stored texts. */
  texts: FlowTexts
  /** Whether the editor has unsaved changes. */
  isChanged: boolean
}

/** Runs a flow manually, as a dry run or for real. */
export function TryTab({ flow, texts, isChanged }: TryTabProps) {
  const trial = useTrial(flow.id, texts)
  const { shown, error, busy, input, setInput, identityId, setIdentityId, syntax, start } = trial
  const [asks, setAsks] = useState(false)
  const isBlocked = syntax !== undefined
  return (
    <div class="split wide try">
      <aside class="stack" aria-label="Input and result">
        {isChanged && <Note tone="warn">This runs version {flow.version}. Your changes are not saved yet.</Note>}
        <TextField label="Input" lines={6} mono value={input} onValue={setInput} problem={syntax} />
        <TextField
          label="Id of the calling identity"
          help="Optional. Without it, the run has no caller."
          mono
          value={identityId}
          onValue={setIdentityId}
        />
        <div class="row">
          <Button kind="primary" busy={busy} disabled={isBlocked} onPress={() => start(true)}>
            Dry run
          </Button>
          <Button disabled={isBlocked || busy} onPress={() => setAsks(true)}>
            Run…
          </Button>
        </div>
        {shown && (
          <>
            <Answer answer={shown.run.answer} body={shown.body} />
            <Writes run={shown.run} isDry />
            <Emits run={shown.run} isDry />
          </>
        )}
      </aside>
      <section aria-label="Steps">
        {error && <Problem error={error} />}
        {shown ? (
          <RunWay
            key={shown.run.id}
            document={texts.document}
            shown={shown}
            error={shown.run.error}
            pointed={pointedIn(texts.document, shown.run.error)}
          />
        ) : (
          !error && (
            <Empty title="See each step with its values">
              A dry run reads your items, but writes and emits nothing.
            </Empty>
          )
        )}
      </section>
      {asks && <AskToRun name={flow.name} onRun={() => start(false)} onClose={() => setAsks(false)} />}
    </div>
  )
}

function AskToRun({ name, onRun, onClose }: { name: string; onRun: () => Promise<void>; onClose: () => void }) {
  const run = async () => {
    onClose()
    await onRun()
  }
  return (
    <Agree title={`Run ${name}?`} action="Run" onAgree={run} onClose={onClose}>
      <p>The run writes items and emits events, and is recorded as started by you.</p>
    </Agree>
  )
}

function useTrial(flowId: string, texts: FlowTexts) {
  const [input, setInput] = useState(() => firstInput(texts.tests))
  const [identityId, setIdentityId] = useState('')
  const [shown, setShown] = useState<ShownRun>()
  const { run, busy, error } = useSaving()
  const isEmpty = input.trim() === ''
  const syntax = isEmpty ? undefined : findSyntaxError(input, maxJsonDepth)?.why
  const start = async (dryRun: boolean) => {
    const fields = {
      ...(!isEmpty && { input: new RawJson(input) }),
      ...(identityId.trim() !== '' && { identityId: identityId.trim() }),
      dryRun,
    }
    const isTaken = await run(async () => {
      const ended = readRun(await account.flowRuns.run(flowId, fields).text())
      if (dryRun) return setShown(ended)
      refresh(runsKey)
      navigate(route`/runs/${ended.run.id}`)
    })
    if (!isTaken) setShown(undefined)
  }
  return { input, setInput, identityId, setIdentityId, shown, error, busy, syntax, start }
}

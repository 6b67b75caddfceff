import { useRef, useState } from 'preact/hooks'
import { randomId } from '#client/src/json.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Dialog } from '#services/dashboard/parts/dialogs/dialog.tsx'
import { count, countOf } from '#services/dashboard/parts/display/text.tsx'
import { refreshItems } from '../../lists/list-items.ts'
import { totalText } from '../page-foot.tsx'
import type { ItemsScope } from '../view/items-scope.ts'
import type { BulkChange, BulkKind } from './bulk-change.ts'
import { BulkForm } from './bulk-forms.tsx'
import { BulkReport } from './bulk-report.tsx'
import { type BulkOutcome, type BulkProgress, runBulk } from './bulk-run.ts'
import { type BulkTarget, type BulkUndo, itemsOf, pause, sendBatch, stepsOf } from './bulk-sources.ts'
import { canUndo, undoBulk } from './undo-bulk.ts'

type BulkDialogProps = { scope: ItemsScope; kind: BulkKind; target: BulkTarget; onClose: () => void }

type State =
  | { at: 'form' }
  | { at: 'run'; progress: BulkProgress | null; isStopping: boolean }
  | { at: 'end'; outcome: BulkOutcome; undo: BulkUndo | null }

const titles: Record<BulkKind, string> = { fields: 'Set fields of', tags: 'Tags of', delete: 'Delete' }

/** The dialog of a bulk change: its form, its progress, and its result. */
export function BulkDialog({ scope, kind, target, onClose }: BulkDialogProps) {
  const [state, setState] = useState<State>({ at: 'form' })
  const stopping = useRef<AbortController>(null)
  const run = async (change: BulkChange) => {
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setState({ at: 'run', progress: null, isStopping: false })
    const onProgress = (progress: BulkProgress) => setState({ at: 'run', progress, isStopping: signal.aborted })
    const { outcome, undo } = await runChange(scope, { change, target, signal, onProgress })
    if (outcome.end === 'all' && outcome.failed === 0) {
      onClose()
      tell(scope, { kind, outcome, undo })
    } else setState({ at: 'end', outcome, undo })
  }
  const close = () => {
    onClose()
    if (state.at === 'end' && state.undo) tell(scope, { kind, outcome: state.outcome, undo: state.undo })
  }
  const stop = () => {
    stopping.current?.abort()
    setState({ at: 'run', progress: state.at === 'run' ? state.progress : null, isStopping: true })
  }
  const items = `${totalText(target)} ${target.total === 1 && !target.isAtLeast ? 'item' : 'items'}`
  return (
    <Dialog title={`${titles[kind]} ${items}`} onClose={close} stays={state.at === 'run'}>
      {state.at === 'form' && <BulkForm kind={kind} target={target} scope={scope} onRun={run} onClose={onClose} />}
      {state.at === 'run' && <Running target={target} {...state} onStop={stop} />}
      {state.at === 'end' && <BulkReport list={scope.name} kind={kind} outcome={state.outcome} onClose={close} />}
    </Dialog>
  )
}

type Change = {
  change: BulkChange
  target: BulkTarget
  signal: AbortSignal
  onProgress: (progress: BulkProgress) => void
}

/** Runs the change, and refreshes the list if any item may have changed. */
async function runChange(scope: ItemsScope, { change, target, signal, onProgress }: Change) {
  const { parts, onDone, undo } = stepsOf(change, itemsOf(scope, target, signal))
  const send = (operations: Parameters<typeof sendBatch>[1], key: string) => sendBatch(scope.name, operations, key)
  const outcome = await runBulk({ parts, send, newKey: randomId, wait: pause, signal, onProgress, onDone })
  if (outcome.done > 0 || outcome.unknown > 0) refreshItems(scope.name)
  // Undoing a deletion restores items one by one, which is too slow for all items of a view.
  const isOffered = canUndo(undo) && (change.kind !== 'delete' || target.ids !== null)
  return { outcome, undo: isOffered ? undo : null }
}

const doneWords: Record<BulkKind, string> = { fields: 'changed', tags: 'changed', delete: 'deleted' }

/** Announces the result, with an undo button if the change can be undone. */
function tell({ name }: ItemsScope, reported: { kind: BulkKind; outcome: BulkOutcome; undo: BulkUndo | null }): void {
  const { kind, outcome, undo } = reported
  const text = `${countOf(outcome.done, 'item was', 'items were')} ${doneWords[kind]}.`
  const same = outcome.unchanged > 0 ? ` ${countOf(outcome.unchanged, 'was', 'were')} so already.` : ''
  announce(text + same, undo ? { undo: () => undoBulk(name, undo) } : {})
}

type RunningProps = { target: BulkTarget; progress: BulkProgress | null; isStopping: boolean; onStop: () => void }

function Running({ target, progress, isStopping, onStop }: RunningProps) {
  const { done = 0, unchanged = 0, failed = 0, waits = null } = progress ?? {}
  const seen = done + unchanged + failed
  return (
    <div class="form">
      <progress aria-label="Progress" max={Math.max(target.total, seen)} value={seen} />
      <p role="status">
        {count(seen)} of {totalText(target)}
        {failed > 0 && `, ${count(failed)} failed`}
        {waits !== null && `. The server is busy: continuing in ${waits} s`}
        {isStopping && '. Stopping after the requests already sent'}
      </p>
      <div class="ends">
        <Button disabled={isStopping} onPress={onStop}>
          Stop
        </Button>
      </div>
    </div>
  )
}

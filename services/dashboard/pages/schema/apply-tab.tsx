import { useRef } from 'preact/hooks'
import { hasChanges } from '#shared/domain/sync/plan-words.ts'
import { navigate } from '../../address/location.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Switch } from '../../parts/controls/field.tsx'
import type { TextEditor } from '../../parts/editor/editor.ts'
import { DocumentEditor } from './document/document-editor.tsx'
import { PlanningNote } from './planning-note.tsx'
import { draft, shownPlan } from './sync-draft.ts'
import { usePlanning } from './use-planning.ts'

/** The editor of a document. The document is planned while it is written. */
export function ApplyTab() {
  const { text, prune } = draft.value
  const planning = usePlanning(draft.value)
  const editor = useRef<TextEditor>(null)
  const { planned, busy } = planning
  const isEmpty = text.trim() === ''
  const plan = async () => {
    const found = await planning.ask()
    if (found?.report && (hasChanges(found.report) || found.report.blockedBy)) {
      shownPlan.value = { text, prune, report: found.report, before: null, applied: null }
      navigate('/schema?tab=plan')
    } else if (found?.errors[0]) editor.current?.goTo(found.errors[0].from)
  }
  return (
    <div class="split wide">
      <DocumentEditor
        text={text}
        onText={(changed) => {
          draft.value = { text: changed, prune }
        }}
        errors={planned?.errors}
        onReady={(ready) => {
          editor.current = ready
        }}
      />
      <aside class="stack">
        <PlanningNote text={text} planning={planning} onGo={(at) => editor.current?.goTo(at)} />
        <Switch
          label="Prune"
          help={
            planned?.pruneProblem ? (
              <span class="bad said">{`It ${planned.pruneProblem}.`}</span>
            ) : (
              'Deletes lists and indexes that the scope manages and the document no longer declares.'
            )
          }
          on={prune}
          onChange={(on) => {
            draft.value = { text, prune: on }
          }}
        />
        <div>
          <Button kind="primary" busy={busy} disabled={isEmpty} onPress={plan}>
            Show the plan
          </Button>
        </div>
        <p class="muted small">
          You see every change before it is applied. On the command line:{' '}
          <code>listd schema plan lists.json{prune ? ' --prune' : ''}</code>
        </p>
      </aside>
    </div>
  )
}

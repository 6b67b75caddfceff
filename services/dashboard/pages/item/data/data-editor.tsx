import { useMemo, useRef } from 'preact/hooks'
import type { Index, JsonObject } from '#client/src/types/resources.ts'
import { here, navigate } from '#services/dashboard/address/location.ts'
import { withQuery } from '#services/dashboard/address/pattern.ts'
import { dataViewIn } from '#services/dashboard/api/preference-values.ts'
import { changePreferences, usePreferences } from '#services/dashboard/api/preferences.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import type { Mark, TextEditor } from '#services/dashboard/parts/editor/editor.ts'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { Problem, Skeleton } from '#services/dashboard/parts/problems/problem.tsx'
import { layOut } from '#shared/json/text/layout.ts'
import { pointerAt } from '#shared/json/text/place.ts'
import { useIndexes } from '../../lists/list-indexes.ts'
import { useIndexLists } from '../../references/use-index-lists.ts'
import { type Finding, messageOfFinding, syntaxFinding } from '../draft-check.ts'
import type { Draft } from '../use-draft.ts'
import { useDescription } from './use-description.ts'

type DataEditorProps = {
  draft: Draft
  list: string
  /** The schema of the list; null: the list has no schema. */
  schema: JsonObject | null
  isReadonly: boolean
  onPointer: (pointer: string) => void
  /** Receives a function that moves the focus to a finding. */
  onReady: (goTo: (finding: Finding) => void) => void
}

/** Data as text or as a form. Both change the same text. `?view=` selects one; the default is the one selected last. */
export function DataEditor(props: DataEditorProps) {
  const { draft, isReadonly } = props
  const { view, setView } = useView()
  const isForm = view === 'form'
  const waits = draft.held.size > 0
  return (
    <section class="data" aria-label="Data">
      <div class="bar">
        <Button kind="quiet" pressed={isForm} onPress={() => setView('form')}>
          Form
        </Button>
        <Button kind="quiet" pressed={!isForm} disabled={isForm && waits} onPress={() => setView('text')}>
          Text
        </Button>
        {isForm && waits && <span class="muted">The text is updated when the form is complete.</span>}
        <div class="grow" />
        {!isForm && !isReadonly && (
          <Button kind="quiet" onPress={() => syntaxFinding(draft.text) === null && draft.setText(layOut(draft.text))}>
            Format
          </Button>
        )}
      </div>
      {isForm ? <AsForm {...props} onText={() => setView('text')} /> : <AsText {...props} />}
    </section>
  )
}

function useView() {
  const preferred = usePreferences()
  const asked = here.value.query.get('view')
  const view = asked === 'text' || asked === 'form' ? asked : dataViewIn(preferred.data ?? {})
  const setView = (next: 'form' | 'text') => {
    navigate(withQuery(here.value, { view: next }), { replace: true, unasked: true })
    // The preference is only a default for the next visit: the current view does not depend on it.
    changePreferences(() => ({ dataView: next })).catch(() => {})
  }
  return { view, setView }
}

const noIndexes: readonly Index[] = []

/** The form. Its script is loaded when the first form opens. */
function AsForm({
  draft,
  list,
  schema,
  isReadonly,
  onPointer,
  onReady,
  onText,
}: DataEditorProps & { onText: () => void }) {
  const script = useResource('script of the form', () => import('../form/data-form.tsx'))
  const description = useDescription(list, schema, draft.base)
  const indexes = useIndexes(list).data ?? noIndexes
  const indexLists = useIndexLists(indexes)
  const reported = useAliasFinding(draft, indexes)
  const goTo = useRef<(pointer: string) => void>(() => {})
  usePageKeys([{ key: 'e', what: 'Edit the data', run: () => goTo.current('') }])
  if (script.error) return <Problem error={script.error} onRetry={script.reload} />
  if (!script.data || !description) return <Skeleton />
  const { DataForm } = script.data
  return (
    <DataForm
      draft={reported}
      {...description}
      indexLists={indexLists}
      isReadonly={isReadonly}
      onPointer={onPointer}
      onText={onText}
      onReady={(go) => {
        goTo.current = go
        onReady(({ pointer }) => go(pointer))
      }}
    />
  )
}

/** The draft, with a finding at the field of the alias if the alias is already in use. */
function useAliasFinding(draft: Draft, indexes: readonly Index[]): Draft {
  const pointer = indexes.find(({ alias }) => alias)?.pointer
  const isTaken = draft.problem?.name === 'ITEM_ALIAS_TAKEN'
  const findings = useMemo(() => {
    if (pointer === undefined || !isTaken) return draft.findings
    return [...draft.findings, { pointer, message: 'is the alias of another item', from: 0, to: 1 }]
  }, [draft.findings, pointer, isTaken])
  return { ...draft, findings }
}

function AsText({ draft, isReadonly, onPointer, onReady }: DataEditorProps) {
  const { text, setText, findings } = draft
  const editor = useRef<TextEditor>(null)
  const latest = useRef(text)
  const cursor = useRef<ReturnType<typeof setTimeout>>(undefined)
  const marks = useMemo<Mark[]>(
    () => findings.map((one) => ({ from: one.from, to: one.to, message: messageOfFinding(one) })),
    [findings],
  )
  latest.current = text
  usePageKeys([{ key: 'e', what: 'Edit the data', run: () => editor.current?.focus() }])
  const reportPointer = (at: number) => {
    clearTimeout(cursor.current)
    cursor.current = setTimeout(() => onPointer(pointerAt(latest.current, at)), cursorPauseMs)
  }
  const take = (ready: TextEditor) => {
    editor.current = ready
    onReady(({ from }) => ready.goTo(from))
  }
  return (
    <JsonEditor
      label="Data as JSON"
      text={text}
      onText={setText}
      onCursor={reportPointer}
      marks={marks}
      isReadonly={isReadonly}
      onReady={take}
    />
  )
}

/** Wait after a cursor move before the pointer is searched: this takes long in a long text. */
const cursorPauseMs = 80

import { useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import type { Mark, TextEditor } from '#services/dashboard/parts/editor/editor.ts'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { layOut } from '#shared/json/text/layout.ts'
import { pointerAt } from '#shared/json/text/place.ts'
import { messageOfFinding, syntaxFinding } from '../draft-check.ts'
import type { Draft } from '../use-draft.ts'
import type { FormField } from './form-fields.ts'
import { FormView } from './form-view.tsx'

type DataEditorProps = {
  draft: Draft
  /** The form that the list's schema stands for; null: its data is more than a form can show. */
  fields: readonly FormField[] | null
  isReadonly: boolean
  onPointer: (pointer: string) => void
  /** Receives the way to a place of the text. */
  onReady: (goTo: (at: number) => void) => void
}

/** Data as text, or as a form where the schema is flat. Both change the same text. */
export function DataEditor({ draft, fields, isReadonly, onPointer, onReady }: DataEditorProps) {
  const [isForm, setForm] = useState(false)
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
  const tellPointer = (at: number) => {
    clearTimeout(cursor.current)
    cursor.current = setTimeout(() => onPointer(pointerAt(latest.current, at)), cursorPauseMs)
  }
  const take = (ready: TextEditor) => {
    editor.current = ready
    onReady(ready.goTo)
  }
  return (
    <section class="data" aria-label="Data">
      <div class="bar">
        {fields && (
          <>
            <Button kind="quiet" pressed={!isForm} onPress={() => setForm(false)}>
              Text
            </Button>
            <Button kind="quiet" pressed={isForm} onPress={() => setForm(true)}>
              Form
            </Button>
          </>
        )}
        <div class="grow" />
        {!isForm && !isReadonly && (
          <Button kind="quiet" onPress={() => syntaxFinding(text) === null && setText(layOut(text))}>
            Lay out
          </Button>
        )}
      </div>
      {isForm && fields ? (
        <FormView draft={draft} fields={fields} isReadonly={isReadonly} />
      ) : (
        <JsonEditor
          label="Data as JSON"
          text={text}
          onText={setText}
          onCursor={tellPointer}
          marks={marks}
          isReadonly={isReadonly}
          onReady={take}
        />
      )}
    </section>
  )
}

/** The pointer of a long text is looked for when the cursor rests. */
const cursorPauseMs = 80

import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Note } from '#services/dashboard/parts/display/marks.tsx'
import { compact, layOut } from '#shared/json/text/layout.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { type Finding, syntaxFinding } from '../draft-check.ts'
import type { Draft } from '../use-draft.ts'
import { focusPlace, pointerOf } from './focus.ts'
import { FormContext, type FormScope } from './form-scope.ts'
import { PlaceField } from './place-field.tsx'
import { fieldOf } from './rules/field.ts'
import { schemaReader } from './rules/schema-reader.ts'

type DataFormProps = {
  draft: Draft
  schema: SchemaObject
  /** Whether the schema is the list's, so that it restricts values. A schema inferred from items only describes them. */
  isBinding: boolean
  isReadonly: boolean
  /** By pointer: the list that texts there refer to, according to the indexes. */
  indexLists: ReadonlyMap<string, string>
  onPointer: (pointer: string) => void
  /** Receives a function that moves the focus to the field of a pointer. */
  onReady: (goTo: (pointer: string) => void) => void
  onText: () => void
}

/** Data as a form built from their schema. Each edit changes only its own place in the text; the rest keeps its bytes. */
export function DataForm(props: DataFormProps) {
  const { draft, schema, onText } = props
  const own = useRef<string | null>(null)
  // Stored text and text that this form wrote are valid JSON. Skip the check for them: it takes long in a long text.
  const isJson = !draft.isChanged || draft.text === own.current
  const error = useMemo(() => (isJson ? null : syntaxFinding(draft.text)), [draft.text, isJson])
  const reader = useMemo(() => schemaReader(schema), [schema])
  if (error) return <NoJson error={error} onText={onText} />
  return <Fields {...props} reader={reader} own={own} />
}

function NoJson({ error, onText }: { error: Finding; onText: () => void }) {
  return (
    <div class="pad">
      <Note tone="warn">
        <p>
          The text is not valid JSON: {error.message} ({error.pointer}). The form appears once it is.
        </p>
        <div class="row">
          <Button onPress={onText}>Correct the text</Button>
        </div>
      </Note>
    </div>
  )
}

type FieldsProps = DataFormProps & { reader: FormScope['reader']; own: { current: string | null } }

function Fields({ draft, isBinding, isReadonly, indexLists, onPointer, onReady, reader, own }: FieldsProps) {
  const form = useRef<HTMLDivElement>(null)
  const focusNext = useFocusNext(form)
  const data = useMemo(() => beginning(reader, compact(draft.text)), [reader, draft.text])
  const latest = useRef(data)
  latest.current = data
  const problems = useProblemsOf(draft)
  const [touched, touch] = useReducer(
    (all: ReadonlySet<string>, one: string) => new Set([...all, one]),
    new Set<string>(),
  )
  useEffect(() => onReady((pointer) => focusNext(pointer)), [])
  const scope: FormScope = {
    PlaceField,
    reader,
    isReadonly,
    isBinding,
    indexLists,
    change(pointer, edit) {
      problems.forget(pointer)
      // Several edits may happen before the next render.
      latest.current = edit(latest.current)
      own.current = layOut(latest.current)
      draft.setText(own.current)
    },
    problemsAt: problems.at,
    countBelow: problems.countBelow,
    isTouched: (pointer) => draft.isRefused || touched.has(pointer),
    held: (pointer) => draft.held.get(pointer),
    hold: draft.hold,
    focusNext,
  }
  return (
    <FormContext.Provider value={scope}>
      <div
        ref={form}
        class="data-form pad"
        role="group"
        aria-label="Data as a form"
        onFocusIn={({ target }) => onPointer(pointerOf(target) ?? '')}
        onFocusOut={({ target }) => {
          const pointer = pointerOf(target)
          if (pointer && !touched.has(pointer)) touch(pointer)
        }}
      >
        <PlaceField
          place={{
            pointer: '',
            schema: reader.root,
            text: data,
            label: 'Data',
            isRequired: true,
            depth: 0,
            hidesLabel: true,
          }}
        />
      </div>
    </FormContext.Provider>
  )
}

/** The data to show: null becomes an empty object if the schema describes an object. */
function beginning(reader: FormScope['reader'], data: string): string {
  return data === 'null' && fieldOf(reader, reader.root, undefined).shape.kind === 'object' ? '{}' : data
}

/** Moves the focus to a place that may not be rendered yet. */
function useFocusNext(form: { current: HTMLElement | null }): FormScope['focusNext'] {
  const wanted = useRef<Parameters<FormScope['focusNext']> | null>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  // A layout effect, so that the focus has moved before the next key.
  useLayoutEffect(() => {
    if (!wanted.current || !form.current) return
    // A folded element was opened on the way: its fields are rendered first, then the search continues.
    if (focusPlace(form.current, ...wanted.current)) wanted.current = null
    else setTimeout(redraw, 0, 0)
  })
  return (...place) => {
    wanted.current = place
    redraw(0)
  }
}

const isIn = (pointer: string, place: string) => pointer === place || pointer.startsWith(`${place}/`)

/** The errors that the service reported. Those at a place are hidden as soon as the place is edited. */
function useProblemsOf({ findings }: Draft) {
  const edited = useRef({ of: findings, pointers: [] as string[] })
  if (edited.current.of !== findings) edited.current = { of: findings, pointers: [] }
  const isFresh = (pointer: string) => !edited.current.pointers.some((one) => isIn(one, pointer) || isIn(pointer, one))
  return {
    forget: (pointer: string) => void edited.current.pointers.push(pointer),
    at: (pointer: string) =>
      isFresh(pointer) ? findings.filter((one) => one.pointer === pointer).map(({ message }) => message) : [],
    countBelow: (pointer: string) => findings.filter((one) => isIn(one.pointer, pointer)).length,
  }
}

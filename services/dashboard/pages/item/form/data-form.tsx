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
  /** Whether the schema is the list's: one that was inferred from items only describes them. */
  isBinding: boolean
  isReadonly: boolean
  /** The lists that texts at these pointers refer to, where the schema does not say it. */
  indexLists: ReadonlyMap<string, string>
  onPointer: (pointer: string) => void
  /** Receives the way to the field of a pointer. */
  onReady: (goTo: (pointer: string) => void) => void
  onText: () => void
}

/** Data as a form of their schema. Every edit is one of the text, which keeps all that it does not name. */
export function DataForm(props: DataFormProps) {
  const { draft, schema, onText } = props
  const own = useRef<string | null>(null)
  // What is stored, and what the form makes of it, is JSON: looking for errors takes long in a long text.
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
      // Several edits may come before the next one is drawn.
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

/** Data that are null begin as an object where the schema has one. */
function beginning(reader: FormScope['reader'], data: string): string {
  return data === 'null' && fieldOf(reader, reader.root, undefined).shape.kind === 'object' ? '{}' : data
}

/** The way to a place that may not be drawn yet. */
function useFocusNext(form: { current: HTMLElement | null }): FormScope['focusNext'] {
  const wanted = useRef<Parameters<FormScope['focusNext']> | null>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  // Before anything else is typed.
  useLayoutEffect(() => {
    if (!wanted.current || !form.current) return
    // What it opens on the way tells of it and is drawn; then the way goes on.
    if (focusPlace(form.current, ...wanted.current)) wanted.current = null
    else setTimeout(redraw, 0, 0)
  })
  return (...place) => {
    wanted.current = place
    redraw(0)
  }
}

const isIn = (pointer: string, place: string) => pointer === place || pointer.startsWith(`${place}/`)

/** What the service says of places, as long as nothing is typed there. */
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

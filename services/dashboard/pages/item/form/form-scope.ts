import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { findAt, removeAt } from '#shared/json/edit/at-pointer.ts'
import type { Held } from '../use-draft.ts'
import { putAt } from './rules/edits.ts'
import type { SchemaReader } from './rules/schema-reader.ts'

/** The state and functions that the fields of a form share. */
export type FormScope = {
  /** The field of a place. It is passed on here because the fields of objects and arrays contain fields. */
  PlaceField: ComponentType<{ place: Place }>
  reader: SchemaReader
  isReadonly: boolean
  /** Whether the schema restricts values. A schema inferred from items only describes them. */
  isBinding: boolean
  /** By pointer: the list that texts there refer to, according to the indexes. */
  indexLists: ReadonlyMap<string, string>
  /** Applies `edit` to the text of the data, compact before and after. `pointer` is the place that it changes. @throws PatchFailed */
  change(pointer: string, edit: (data: string) => string): void
  /** The errors that the service reported for the value at a pointer; empty once the value has changed. */
  problemsAt(pointer: string): readonly string[]
  /** The number of errors at a pointer and below it. */
  countBelow(pointer: string): number
  /** Whether a missing value is reported at a pointer: after the field has lost the focus, or after a failed save. */
  isTouched(pointer: string): boolean
  /** Input at a pointer that is not a valid value yet. */
  held(pointer: string): Held | undefined
  hold(pointer: string, held: Held | null): void
  /** Moves the focus to a button by its name, or to the first control of a place, as soon as it is rendered. */
  focusNext(pointer: string, button?: string): void
}

export const FormContext = createContext<FormScope | null>(null)

export function useForm(): FormScope {
  const scope = useContext(FormContext)
  if (!scope) throw new Error('A field must be inside a form.')
  return scope
}

/** A place of the data, as the enclosing object or array describes it. */
export type Place = {
  pointer: string
  schema: unknown
  /** Its value as compact JSON; undefined: there is no value. */
  text: string | undefined
  label: string
  /** The label is visible elsewhere: here only screen readers get it. */
  hidesLabel?: boolean
  /** The enclosing object requires it. */
  isRequired: boolean
  /** It is an element of an array: the array removes it, and it always has a value. */
  isElement?: boolean
  /** An error that the enclosing object reports for it, for example that it is not allowed. */
  problem?: string | undefined
  /** The names of the enclosing object's members, in the order of the schema. */
  order?: readonly string[]
  /** Called for Enter in a single-line text. */
  onEnter?: (() => void) | undefined
  depth: number
}

/** Functions that set and remove the value of a place. */
export function usePlace({ pointer, order }: Place): { put: (text: string) => void; remove: () => void } {
  const { change } = useForm()
  return {
    put: (text) => change(pointer, (data) => putAt(data, pointer, text, order)),
    remove: () => change(pointer, (data) => (findAt(data, pointer) === null ? data : removeAt(data, pointer))),
  }
}

/** Whether a place may be without a value. */
export const isOptional = ({ isRequired, isElement = false, pointer }: Place) =>
  !isRequired && !isElement && pointer !== ''

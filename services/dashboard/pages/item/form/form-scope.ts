import { type ComponentType, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { findAt, removeAt } from '#shared/json/edit/at-pointer.ts'
import type { Held } from '../use-draft.ts'
import { putAt } from './rules/edits.ts'
import type { SchemaReader } from './rules/schema-reader.ts'

/** What every field of a form needs. */
export type FormScope = {
  /** The field of a place: objects and arrays have fields in them. */
  PlaceField: ComponentType<{ place: Place }>
  reader: SchemaReader
  isReadonly: boolean
  /** Whether the schema says what is allowed; one that was inferred from items only describes. */
  isBinding: boolean
  /** The lists that texts at these pointers refer to, by the indexes of the list. */
  indexLists: ReadonlyMap<string, string>
  /** Changes the text of the data at a pointer: compact before and after. @throws PatchFailed */
  change(pointer: string, edit: (data: string) => string): void
  /** What the service says of the value at a pointer, as long as it was not changed since. */
  problemsAt(pointer: string): readonly string[]
  /** How many things are wrong at a pointer and below it. */
  countBelow(pointer: string): number
  /** Whether what is missing there is reported: somebody has left the field, or tried to save. */
  isTouched(pointer: string): boolean
  /** What was typed at a pointer and is no value yet. */
  held(pointer: string): Held | undefined
  hold(pointer: string, held: Held | null): void
  /** Gives the focus to a button by its name, or to the first control of a place, as soon as it is there. */
  focusNext(pointer: string, button?: string): void
}

export const FormContext = createContext<FormScope | null>(null)

export function useForm(): FormScope {
  const scope = useContext(FormContext)
  if (!scope) throw new Error('A field must be inside a form.')
  return scope
}

/** A place of the data, as whatever is around it describes it. */
export type Place = {
  pointer: string
  schema: unknown
  /** Its value as compact JSON; undefined: there is none. */
  text: string | undefined
  label: string
  /** Its label is elsewhere: screen readers get it, but it is not shown. */
  hidesLabel?: boolean
  /** The object around it has to have it. */
  isRequired: boolean
  /** It is an element of an array: it is removed there, and never empty. */
  isElement?: boolean
  /** What the object around it says of it, such as that it may not be there. */
  problem?: string | undefined
  /** The names that the object around it has in the schema. */
  order?: readonly string[]
  /** What Enter does in a text of one line. */
  onEnter?: (() => void) | undefined
  depth: number
}

/** The edits of a place. */
export function usePlace({ pointer, order }: Place): { put: (text: string) => void; remove: () => void } {
  const { change } = useForm()
  return {
    put: (text) => change(pointer, (data) => putAt(data, pointer, text, order)),
    remove: () => change(pointer, (data) => (findAt(data, pointer) === null ? data : removeAt(data, pointer))),
  }
}

/** Whether somebody may leave a place without a value. */
export const isOptional = ({ isRequired, isElement = false, pointer }: Place) =>
  !isRequired && !isElement && pointer !== ''

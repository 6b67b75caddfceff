import { RawNumber, stringify } from '#client/src/json.ts'
import type { JsonObject } from '#client/src/types/resources.ts'
import { findAt, removeAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { isObject } from '#shared/json/is-object.ts'
import { childPointer } from '#shared/json/pointer.ts'

/** A property of a flat schema as a control. `choices` are JSON texts. */
export type FormField = {
  key: string
  pointer: string
  kind: 'text' | 'date' | 'number' | 'boolean' | 'choice'
  choices: readonly string[]
  isRequired: boolean
  label: string
  help: string | undefined
}

const mostFields = 60

/**
 * The form for a list's schema: one of an object whose properties are strings, numbers, booleans, dates, or one of some values.
 * @returns null: it says more than a form shows
 */
export function fieldsOf(schema: JsonObject | null): FormField[] | null {
  if (schema?.type !== 'object' || !isObject(schema.properties) || isConditional(schema)) return null
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(schema.properties).map(([key, property]) =>
    fieldOf(key, property, required.includes(key)),
  )
  if (fields.length === 0 || fields.length > mostFields || fields.includes(null)) return null
  return fields as FormField[]
}

const isConditional = (schema: JsonObject) =>
  ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'not', 'dependencies'].some((keyword) => keyword in schema)

function fieldOf(key: string, property: unknown, isRequired: boolean): FormField | null {
  if (!isObject(property) || isConditional(property)) return null
  const kind = kindOf(property)
  if (!kind) return null
  const { title, description } = property
  return {
    key,
    pointer: childPointer('', key),
    kind,
    choices: Array.isArray(property.enum) ? property.enum.map((value) => stringify(value) ?? '') : [],
    isRequired,
    label: typeof title === 'string' && title ? title : key,
    help: typeof description === 'string' ? description : undefined,
  }
}

const isScalar = (value: unknown) => value === null || typeof value !== 'object' || value instanceof RawNumber

function kindOf({ type, format, enum: values }: JsonObject): FormField['kind'] | null {
  if (Array.isArray(values)) return values.every(isScalar) ? 'choice' : null
  if (type === 'string') return format === 'date' ? 'date' : 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'boolean' : null
}

/** What a control shows: a string without its quotes, everything else as its text; '' for nothing. */
export function shownValue(data: string, { pointer }: Pick<FormField, 'pointer'>): string {
  const value = findAt(data, pointer)
  if (value === null) return ''
  return value.startsWith('"') ? (JSON.parse(value) as string) : value
}

/** The JSON text of a choice that is made; '' for none. */
export function chosenValue(data: string, { pointer }: Pick<FormField, 'pointer'>): string {
  return findAt(data, pointer) ?? ''
}

/**
 * The data with what a control holds. Everything else keeps its text, and a number keeps the digits that were typed; what is no
 * number goes as a string, so that the schema says what is wrong. Nothing typed takes the member out.
 * @param data compact text of an object, or null
 */
export function withValue(data: string, { pointer, kind }: Pick<FormField, 'pointer' | 'kind'>, typed: string): string {
  const object = data.startsWith('{') ? data : '{}'
  if (typed === '') return findAt(object, pointer) === null ? object : removeAt(object, pointer)
  return setAt(object, pointer, jsonOf(kind, typed))
}

function jsonOf(kind: FormField['kind'], typed: string): string {
  if (kind === 'choice' || kind === 'boolean') return typed
  return kind === 'number' && isNumber.test(typed.trim()) ? typed.trim() : JSON.stringify(typed)
}

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

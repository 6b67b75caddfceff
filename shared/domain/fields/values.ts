import { isoTime } from '../text/iso-time.ts'
import type { AnswerOf, Body, Field, Fields, InitialNames, NamesIn, NamesOfKind, ValuesOf } from './field.ts'

/** The names of all fields, in the order of the answer. */
export function fieldNames<F extends Fields>(fields: F): (keyof F & string)[] {
  return Object.keys(fields)
}

/** One field of a resource. */
export function fieldOf<F extends Fields>(fields: F, name: keyof F & string): Field {
  const byName: { readonly [Name in keyof F]: Field } = fields
  return byName[name]
}

/** The names of the fields that a body may set, in the order of the answer. */
export function namesIn<F extends Fields, B extends Body>(fields: F, body: B): NamesIn<F, B>[] {
  return namesWhere(fields, ({ write = [] }) => write.includes(body)) as NamesIn<F, B>[]
}

/** The names of the fields of one kind, in the order of the answer. */
export function namesOfKind<F extends Fields, K extends Field['kind']>(fields: F, kind: K): NamesOfKind<F, K>[] {
  return namesWhere(fields, (field) => field.kind === kind) as NamesOfKind<F, K>[]
}

function namesWhere(fields: Fields, matches: (field: Field) => boolean): string[] {
  return Object.entries(fields).flatMap(([name, field]) => (matches(field) ? [name] : []))
}

/** The named values of a resource. */
export function pick<T extends object, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  const picked: Partial<T> = {}
  for (const name of names) picked[name] = from[name]
  return picked as Pick<T, Name>
}

/** The initial values of a new resource, without those that it computes itself. */
export function initialValues<F extends Fields>(fields: F): Pick<ValuesOf<F>, InitialNames<F>> {
  const initial = Object.entries(fields).flatMap(([name, field]) => ('initial' in field ? [[name, field.initial]] : []))
  return structuredClone(Object.fromEntries(initial))
}

type FieldsWithoutJson = { readonly [name: string]: Exclude<Field, { kind: 'json' }> }

/** Returns a function that converts a resource without `json` fields to the form that clients see: times as ISO 8601, without hidden fields. */
export function answer<F extends FieldsWithoutJson>(fields: F): (values: ValuesOf<F>) => AnswerOf<F> {
  const shown = Object.entries(fields).filter(([, { hidden }]) => !hidden)
  return (values: Record<string, unknown>) => {
    const answered: Record<string, unknown> = {}
    for (const [name, { kind }] of shown) {
      const value = values[name]
      answered[name] = kind === 'time' && value !== null ? isoTime(value as number) : value
    }
    return answered as AnswerOf<F>
  }
}

/**
 * Returns a function that serializes a resource as clients see it: JSON text, times as ISO 8601, `json` fields as the text that was sent,
 * without hidden fields.
 */
export function serializer<F extends Fields>(fields: F): (values: ValuesOf<F>) => string {
  const shown = Object.entries(fields).filter(([, { hidden }]) => !hidden)
  const parts = shown.map(([name, { kind }], position) => ({
    name,
    prefix: `${position === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    toJson: toJson[kind],
  }))
  return (values: Record<string, unknown>) => {
    let text = ''
    for (const { name, prefix, toJson } of parts) {
      const value = values[name]
      text += prefix + (value === null ? 'null' : toJson(value as never))
    }
    return `${text}}`
  }
}

const toJson: Record<Field['kind'], (value: never) => string> = {
  flag: String,
  integer: String,
  time: (time: number) => `"${isoTime(time)}"`,
  text: JSON.stringify,
  choice: JSON.stringify,
  list: JSON.stringify,
  json: (text: string) => text,
  rules: JSON.stringify,
}

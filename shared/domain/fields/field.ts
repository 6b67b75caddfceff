import type { PermissionRule } from '../access/permission-rule.ts'

// A resource is declared once, by one row per field, in the order of its answer. Validation, initial values, JSON, database rows and the
// API description are derived from the rows. Rules that a row cannot express are written by hand next to the table: conditions between
// fields, differences between principals, and transitions.

/** The request bodies that may set a field: a create, an update, an entry of a schema sync document. */
export type Body = 'create' | 'update' | 'sync'

/** The properties that fields of every kind have. */
type Common = {
  /** A one-sentence description, for the API description and for editors. */
  about: string
  /** The bodies that may set the field; absent: read-only. */
  write?: readonly Body[]
  nullable?: true
  /** Stored, but not shown in answers. */
  hidden?: true
  /** An example value, for editors. */
  example?: string | readonly string[]
}

/** The pattern that a text must match, as in JSON Schema, optionally its format, and the message of the error. */
export type TextRule = { pattern: string; format?: 'uuid'; message: string }

/**
 * One field. `initial` is its value if the create does not set it; without `initial` the resource computes the value. Pages can be filtered
 * by a field with `filter`. Lengths are in code points, times in epoch milliseconds. `json` is the source text of a JSON object, stored as
 * sent.
 */
export type Field = Common &
  (
    | { kind: 'flag'; initial?: boolean; filter?: true }
    | { kind: 'integer'; min?: number; max?: number; initial?: number | null }
    | { kind: 'time'; initial?: null }
    | { kind: 'text'; min?: 1; max: number; rule?: TextRule; initial?: string | null; filter?: true }
    | { kind: 'choice'; of: readonly string[]; initial?: string | null; filter?: true }
    | { kind: 'list'; of: 'tag'; max: number; initial?: readonly string[]; filter?: true }
    | { kind: 'list'; of: 'id' | 'cidr' | 'text' | readonly string[]; max: number; initial?: readonly string[] | null }
    | { kind: 'json'; initial?: null }
    | { kind: 'rules' }
  )

/** The fields of a resource, in the order of its answer. */
export type Fields = { readonly [name: string]: Field }

/** A resource as the code represents it. */
export type ValuesOf<F extends Fields> = { -readonly [Name in keyof F & string]: ValueOf<F[Name]> }

/** A resource as clients see it. */
export type AnswerOf<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { hidden: true } ? never : Name]: F[Name] extends { kind: 'time' }
    ? string | (F[Name] extends { nullable: true } ? null : never)
    : ValueOf<F[Name]>
}

type ValueOf<F> = PlainValueOf<F> | (F extends { nullable: true } ? null : never)

type PlainValueOf<F> = F extends { kind: 'flag' }
  ? boolean
  : F extends { kind: 'integer' | 'time' }
    ? number
    : F extends { kind: 'text' | 'json' }
      ? string
      : F extends { kind: 'choice'; of: readonly (infer Choice)[] }
        ? Choice
        : F extends { kind: 'list'; of: infer Of }
          ? (Of extends readonly (infer Choice)[] ? Choice : string)[]
          : F extends { kind: 'rules' }
            ? PermissionRule[]
            : never

/** The names of the fields that a body may set. */
export type NamesIn<F extends Fields, B extends Body> = {
  [Name in keyof F & string]: F[Name] extends { write: readonly (infer W)[] } ? (B extends W ? Name : never) : never
}[keyof F & string]

/** A body: any of the fields that it may set. */
export type ValuesIn<F extends Fields, B extends Body> = Partial<Pick<ValuesOf<F>, NamesIn<F, B>>>

/** The names of the fields that have an initial value. */
export type InitialNames<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { initial: unknown } ? Name : never
}[keyof F & string]

/** The names of the fields of one kind. */
export type NamesOfKind<F extends Fields, K extends Field['kind']> = {
  [Name in keyof F & string]: F[Name] extends { kind: K } ? Name : never
}[keyof F & string]

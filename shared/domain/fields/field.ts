import type { PermissionRule } from '../access/permission-rule.ts'

// A resource is declared once: one row for each of its fields, in the order of its answer. Validation, initial values, JSON,
// rows of the database and the description of the API follow from the rows. What a row cannot say is written by hand next to the
// table: conditions between fields, what differs from one principal to another, and transitions.

/** The request bodies that may set a field: a create, an update, an entry of a schema sync document. */
export type Body = 'create' | 'update' | 'sync'

/** What is said of a field of any kind. */
type Common = {
  /** One sentence for people who read the API description or write a document in an editor. */
  about: string
  /** The bodies that may set it; absent: it is read-only. */
  write?: readonly Body[]
  nullable?: true
  /** It is stored, but no answer shows it. */
  hidden?: true
  /** A value that shows the form, for editors. */
  example?: string | readonly string[]
}

/** What a text must match, as a pattern of JSON Schema and perhaps a format of it, and how an error says so. */
export type TextRule = { pattern: string; format?: 'uuid'; message: string }

/**
 * One field. `initial` is its value when the create does not set it; without one the resource computes it. Pages can be
 * filtered by a field that says `filter`. Lengths are code points, times epoch milliseconds. `json` is the source text of a
 * JSON object, kept as it was sent.
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

/** A resource as the code holds it. */
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

/** What a body says: any of the fields that it may set. */
export type ValuesIn<F extends Fields, B extends Body> = Partial<Pick<ValuesOf<F>, NamesIn<F, B>>>

/** The names of the fields that have an initial value. */
export type InitialNames<F extends Fields> = {
  [Name in keyof F & string]: F[Name] extends { initial: unknown } ? Name : never
}[keyof F & string]

/** The names of the fields of one kind. */
export type NamesOfKind<F extends Fields, K extends Field['kind']> = {
  [Name in keyof F & string]: F[Name] extends { kind: K } ? Name : never
}[keyof F & string]

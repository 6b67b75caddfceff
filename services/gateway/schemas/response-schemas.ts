import type { AnswerOf, Fields } from '#shared/domain/fields/field.ts'
import { answerSchema, anyObject, idSchema, type JsonSchema } from '#shared/domain/fields/json-schema.ts'
import { ownFields } from '#shared/domain/fields/resource-fields.ts'
import { maxCounted } from '#shared/domain/limits.ts'

// Schemas of the parts of responses (contract 1.1).

export const id: JsonSchema = idSchema
export const time: JsonSchema = { type: 'string', format: 'date-time' }
export const text: JsonSchema = { type: 'string' }
export const flag: JsonSchema = { type: 'boolean' }
export const count: JsonSchema = { type: 'integer', minimum: 0 }

/** The id and the times that every resource has. */
export const stamps = answerProperties(ownFields)

/** The properties that answers show of declared fields. */
export function answerProperties<F extends Fields>(fields: F): { readonly [Name in keyof AnswerOf<F>]: JsonSchema } {
  return answerSchema(fields).properties as { [Name in keyof AnswerOf<F>]: JsonSchema }
}

/** The properties of every error (contract 1.5). */
export const errorFields = {
  name: { ...text, description: 'The name of the error, which programs compare; it never changes.' },
  code: { type: 'integer', description: 'The number of the error, as stable as its name.' },
  message: { ...text, description: 'A sentence for people; its words may change.' },
}

/** The id of a request, next to an error. */
export const requestId = { ...text, description: 'The id of the request, as in `x-request-id` and in the log.' }

/** An id for examples that are not recorded. */
export const exampleId = '0190f5fe-7c00-7a00-8000-000000000001'

export function nullable(schema: JsonSchema): JsonSchema {
  return typeof schema.type === 'string' && !('enum' in schema)
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function oneOf(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

/**
 * An object with these properties and no others.
 * @param options.title the name of the component that it becomes
 * @param options.optional properties that may be absent
 */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  { optional = [], ...keywords }: ObjectKeywords = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { ...keywords, type: 'object', properties, required, additionalProperties: false }
}

type ObjectKeywords = {
  optional?: readonly string[]
  title?: string
  description?: string
}

/**
 * A resource as answers show it.
 * @param further properties that differ from the fields, or that only this answer has, such as a secret
 * @param options.optional properties that may be absent
 */
export function answerOf(
  fields: Fields,
  { optional = [], ...keywords }: { title: string; description: string; optional?: readonly string[] },
  further: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const { properties, required, ...schema } = answerSchema(fields) as { properties: object; required: string[] }
  return {
    ...keywords,
    ...schema,
    properties: { ...properties, ...further },
    required: [...new Set([...required, ...Object.keys(further)])].filter((name) => !optional.includes(name)),
  }
}

/** A page of rows, by number or by cursor (contract 1.3); either form is a component too. */
export function pageOf(row: JsonSchema): JsonSchema {
  const byNumber = { title: `${row.title}NumberedPage`, description: 'A page without `after`.' }
  const byCursor = { title: `${row.title}CursorPage`, description: 'A page with `after`.' }
  const data = { ...arrayOf(row), description: 'The rows of the page.' }
  const totalIsAtLeast = {
    const: true,
    description: `Present if the count stopped at ${maxCounted} rows, or at the rows that a call may examine: there may be more.`,
  }
  const next = { ...nullable(text), description: 'The cursor of the next page; null: this is the last.' }
  const examined = {
    ...count,
    description:
      'Present if the page ended early: the number of rows that the call examined. Only for callers who see all of them.',
  }
  const limit = { ...count, description: 'The maximum number of rows on the page.' }
  const number = { ...count, description: 'The number of the page, from 1.' }
  const total = { ...count, description: 'The number of rows on all pages.' }
  return {
    title: `${row.title}Page`,
    description: 'A page by number, or by cursor when the request has `after`.',
    anyOf: [
      objectOf({ page: number, limit, total, totalIsAtLeast, data }, { ...byNumber, optional: ['totalIsAtLeast'] }),
      objectOf({ limit, next, examined, data }, { ...byCursor, optional: ['examined'] }),
    ],
  }
}

/** The format of a document, itself a JSON Schema of draft-07. */
export const formatSchema = {
  ...anyObject,
  properties: {
    $schema: { ...text, description: 'The draft of JSON Schema.' },
  },
  required: ['$schema'],
}

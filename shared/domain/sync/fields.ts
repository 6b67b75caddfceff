import type { FieldError } from '../../errors.ts'
import { lengths, maxTags } from '../limits.ts'
import { pathNamePattern } from '../list/path-name.ts'
import { scopePattern } from '../list/scope.ts'
import { tagErrors, tagPattern } from '../tags.ts'
import { isLongerThan } from '../text/code-points.ts'

/** The rule for one property of a sync document: validated here, and given to editors as JSON Schema. */
export type FieldRule = {
  errors(value: unknown, path: string): FieldError[]
  schema: Record<string, unknown>
}

export type FieldRules = Readonly<Record<string, FieldRule>>

/** Properties of the document itself (specification, Sync document). */
export const documentFields = {
  $schema: text({ about: 'The url of this format, for editors.' }),
  scope: text({ pattern: scopePattern, about: 'The application that manages the lists of this document.' }),
  lists: keyed('The lists to create or change, by path name.'),
} as const satisfies FieldRules

/** Properties of a list entry (specification, List entry). */
export const listFields = {
  name: text({
    min: 1,
    max: lengths.name,
    about: 'Shown to people; a new list without one is named like its path name.',
  }),
  description: text({ max: lengths.description, about: 'What the list is for.' }),
  tags: tags(),
  schema: {
    errors: (value, path) =>
      value === null || isObject(value) ? [] : [{ path, message: 'must be an object or null' }],
    schema: {
      description: 'The JSON Schema (draft-07) that new and updated items must match; null: any data.',
      anyOf: [{ type: 'null' }, { allOf: [{ type: 'object' }, { $ref: 'http://json-schema.org/draft-07/schema#' }] }],
    },
  },
  readonly: flag('Prevents changes to the list, its indexes and its items.'),
  realtime: flag('Whether changes are offered as a live stream.'),
  protected: flag('Prevents deleting the list while it holds items.'),
  indexable: flag('Whether tokens may list and search the items.'),
  generative: flag('Whether content of the list may be generated.'),
  generativePrompt: text({
    max: lengths.description,
    nullable: true,
    about: 'The prompt that content is generated from.',
  }),
  indexes: keyed('The indexes to create or change, by path name; others are left as they are.'),
} as const satisfies FieldRules

/** Properties of an index entry (specification, Index entry). */
export const indexFields = {
  name: text({
    min: 1,
    max: lengths.name,
    about: 'Shown to people; a new index without one is named like its path name.',
  }),
  description: text({ max: lengths.description, about: 'What the index is for.' }),
  tags: tags(),
  pointer: text({
    max: lengths.pointer,
    pattern: '^(/([^~/\\u0000]|~[01])*)*$',
    about: 'JSON Pointer (RFC 6901) to the value in the item; required when the index is created.',
  }),
  valueType: choice(['string', 'number', 'date'], 'The type that the values are compared as.'),
  alias: flag('Whether an item can be addressed by its value, which is then unique in the list.'),
  sorting: flag('Whether items can be ordered by the value.'),
  filtering: flag('Whether items can be filtered by the value.'),
  searching: flag('Whether items can be searched by the value.'),
  guard: flag('Hides the value, and everything below it, in ordinary responses.'),
  defaultOrderDirection: choice(['asc', 'desc'], 'The default direction of ordering by the value.'),
} as const satisfies FieldRules

/** The keys of `lists` and `indexes`. */
export const keySchema = { pattern: pathNamePattern, maxLength: lengths.pathName } as const

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type TextOptions = { min?: number; max?: number; pattern?: string; nullable?: boolean; about: string }

/** U+0000 is never allowed: Postgres cannot store it in a text column. */
function text({ min = 0, max, pattern = '^[^\\u0000]*$', nullable = false, about }: TextOptions): FieldRule {
  const expression = new RegExp(pattern)
  const messageFor = (value: unknown): string | null => {
    if (nullable && value === null) return null
    if (typeof value !== 'string') return nullable ? 'must be a string or null' : 'must be a string'
    if (value.length < min) return `must be at least ${min} character long`
    if (max !== undefined && isLongerThan(value, max)) return `must be at most ${max} characters long`
    return expression.test(value) ? null : `must match the pattern ${pattern}`
  }
  return {
    errors: (value, path) => {
      const message = messageFor(value)
      return message === null ? [] : [{ path, message }]
    },
    schema: {
      description: about,
      type: nullable ? ['string', 'null'] : 'string',
      ...(min > 0 && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
      pattern,
    },
  }
}

function flag(about: string): FieldRule {
  return {
    errors: (value, path) => (typeof value === 'boolean' ? [] : [{ path, message: 'must be true or false' }]),
    schema: { description: about, type: 'boolean' },
  }
}

function choice(values: readonly string[], about: string): FieldRule {
  const message = `must be one of ${values.join(', ')}`
  return {
    errors: (value, path) => (typeof value === 'string' && values.includes(value) ? [] : [{ path, message }]),
    schema: { description: about, enum: values },
  }
}

function tags(): FieldRule {
  return {
    errors: tagErrors,
    schema: {
      description: 'Stored in lower case, each once.',
      type: 'array',
      maxItems: maxTags,
      items: { type: 'string', pattern: tagPattern },
    },
  }
}

/** The caller that walks the document validates the entries. */
function keyed(about: string): FieldRule {
  return {
    errors: (value, path) => (isObject(value) ? [] : [{ path, message: 'must be an object' }]),
    schema: { description: about, type: 'object' },
  }
}

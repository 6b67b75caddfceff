import { idRule } from '../id.ts'
import { lengths, maxTags } from '../limits.ts'
import { noEffectYet } from '../without-effect.ts'
import type { Body, Field, Fields } from './field.ts'

/** What every resource has. */
export const ownFields = {
  id: { kind: 'text', max: lengths.id, rule: idRule, about: 'The id, a UUID of version 7; it never changes.' },
  createdAt: { kind: 'time', about: 'The time of its creation.' },
  updatedAt: { kind: 'time', about: 'The time of its last change.' },
} as const satisfies Fields

/** The account that a resource belongs to, which no answer shows. */
export const accountId = {
  kind: 'text',
  max: lengths.id,
  hidden: true,
  about: 'The account that owns it.',
} as const satisfies Field

/** A name, a description and tags, of which a request may set any. @param aboutName the sentence about the name */
export function namedFields<const Write extends readonly Body[]>(write: Write, aboutName = 'Shown to people.') {
  return {
    name: { kind: 'text', min: 1, max: lengths.name, write, filter: true, about: aboutName },
    description: {
      kind: 'text',
      max: lengths.description,
      initial: '',
      write,
      about: 'A note for people about its purpose.',
    },
    tags: {
      kind: 'list',
      of: 'tag',
      max: maxTags,
      initial: [],
      write,
      filter: true,
      example: ['kitchen'],
      about: 'Labels to filter by; stored in lower case, each once.',
    },
  } as const satisfies Fields
}

/** The same fields, of which the named ones say that they have no effect yet. */
export function sayingWithoutEffect<const F extends Fields>(names: readonly (keyof F & string)[], fields: F): F {
  const saying = names.map((name) => [name, { ...fields[name], about: `${fields[name]?.about} ${noEffectYet}` }])
  return { ...fields, ...Object.fromEntries(saying) }
}

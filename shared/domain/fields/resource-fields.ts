import { idRule } from '../id.ts'
import { lengths, maxTags } from '../limits.ts'
import { noEffectYet } from '../without-effect.ts'
import type { Body, Field, Fields } from './field.ts'

/** The fields that every resource has. */
export const ownFields = {
  id: { kind: 'text', max: lengths.id, rule: idRule, about: 'The id, a UUID of version 7; it never changes.' },
  createdAt: { kind: 'time', about: 'The time of its creation.' },
  updatedAt: { kind: 'time', about: 'The time of its last change.' },
} as const satisfies Fields

/** The account that a resource belongs to. Not shown in answers. */
export const accountId = {
  kind: 'text',
  max: lengths.id,
  hidden: true,
  about: 'The account that owns it.',
} as const satisfies Field

/** A name, a description and tags, all of which a request may set. @param aboutName the description of the name */
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

/** The same fields; the descriptions of the named ones say that they have no effect yet. */
export function sayingWithoutEffect<const F extends Fields>(names: readonly (keyof F & string)[], fields: F): F {
  const saying = names.map((name) => [name, { ...fields[name], about: `${fields[name]?.about} ${noEffectYet}` }])
  return { ...fields, ...Object.fromEntries(saying) }
}

import type { Body, Fields, ValuesIn } from '../fields/field.ts'
import { accountId, namedFields, ownFields } from '../fields/resource-fields.ts'
import { lengths } from '../limits.ts'
import { firstVersion, versionRule } from './version.ts'

const byRequest = ['create', 'update'] as const
const { description, tags } = namedFields(byRequest)

/**
 * The fields of an item that follow its owner and data in an answer (contract 2.2). Those two are not in the table: the owner is another
 * resource, and the data is any JSON value, kept as text.
 */
export const fieldsBehindData = {
  version: {
    kind: 'text',
    max: lengths.version,
    rule: versionRule,
    initial: firstVersion,
    write: byRequest,
    about: 'The version. Every write increments its last part; a write may set a greater version.',
  },
  readonly: {
    kind: 'flag',
    initial: false,
    write: byRequest,
    filter: true,
    about: 'Whether writes are rejected, except one that sets it to false.',
  },
  activated: {
    kind: 'flag',
    initial: true,
    write: byRequest,
    about:
      'False makes the item a draft: API tokens see it only if they may update it, or act for the identity that owns it. ' +
      'Pages include it only if `activated` requests it.',
  },
  description,
  tags,
  size: { kind: 'integer', min: 0, about: 'Bytes of the data as compact JSON.' },
  locked: {
    kind: 'flag',
    initial: false,
    write: ['update'],
    about: 'Whether only user mode may change the item. Only user mode may set it.',
  },
  accountId,
  listId: { kind: 'text', max: lengths.id, hidden: true, about: 'The list that it is an entry of.' },
  revision: {
    kind: 'integer',
    min: 1,
    hidden: true,
    about: 'Its etag: 1 at its creation, incremented by every write.',
  },
} as const satisfies Fields

/** The fields of an item except its owner and data, in the order of the answer. */
export const itemFields = { ...ownFields, ...fieldsBehindData } as const satisfies Fields

/** The body of a write. `data` is only for validation; its source text is stored. */
export type ItemBody<B extends Body = 'create' | 'update'> = ValuesIn<typeof itemFields, B> & { data?: unknown }

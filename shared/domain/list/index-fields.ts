import type { NamesIn, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, namedFields, ownFields, sayingWithoutEffect } from '../fields/resource-fields.ts'
import { serializer } from '../fields/values.ts'
import { lengths } from '../limits.ts'
import { withoutEffect } from '../without-effect.ts'
import { pathNameField } from './path-name-field.ts'
import { scopeField } from './scope.ts'

const always = ['create', 'update', 'sync'] as const

/** The fields of an index on a list (contract 2.3). */
export const indexFields = sayingWithoutEffect(withoutEffect.index, {
  ...ownFields,
  ...namedFields(always, 'Shown to people; by default the path name.'),
  pathName: pathNameField,
  scope: scopeField,
  pointer: {
    kind: 'text',
    max: lengths.pointer,
    rule: {
      pattern: '^(/([^~/\\u0000]|~[01])*)*$',
      message: 'must be a JSON Pointer such as /author/name',
    },
    initial: '',
    write: always,
    example: '/author/name',
    about: 'JSON Pointer (RFC 6901) to the value in the item; required when the index is created.',
  },
  valueType: {
    kind: 'choice',
    of: ['string', 'number', 'date'],
    initial: 'string',
    write: always,
    filter: true,
    about: 'The type that the values are compared as.',
  },
  alias: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Whether an item can be addressed by its value, which is then unique in the list.',
  },
  sorting: { kind: 'flag', initial: false, write: always, about: 'Whether items can be ordered by the value.' },
  filtering: { kind: 'flag', initial: false, write: always, about: 'Whether items can be filtered by the value.' },
  searching: { kind: 'flag', initial: false, write: always, about: 'Whether items can be searched by the value.' },
  guard: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Hides the value, and everything below it, in ordinary responses.',
  },
  defaultOrderDirection: {
    kind: 'choice',
    of: ['asc', 'desc'],
    initial: 'asc',
    write: always,
    filter: true,
    about: 'The default direction of ordering by the value.',
  },
  activated: {
    kind: 'flag',
    initial: true,
    write: ['create', 'update'],
    filter: true,
    about: 'Whether the index is used; false also hides it from tokens.',
  },
  buildStatus: {
    kind: 'choice',
    of: ['ready', 'building', 'failed'],
    initial: 'ready',
    about: 'Whether the values of the stored items are in the index.',
  },
  accountId,
  listId: { kind: 'text', max: lengths.id, hidden: true, about: 'The list that it is on.' },
  arrays: {
    kind: 'flag',
    initial: false,
    hidden: true,
    about:
      'Whether it may have entries of array elements, in addition to one entry per item. Set before the first of them is stored.',
  },
  valuesId: {
    kind: 'text',
    max: lengths.id,
    hidden: true,
    about: 'The id that its values are stored under; each build has another one, so that old and new values never mix.',
  },
})

/** An index on a list as the code represents it. */
export interface ListIndex extends ValuesOf<typeof indexFields> {}

export type ValueType = ListIndex['valueType']
export type BuildStatus = ListIndex['buildStatus']

/** The fields that a request may set. */
export type IndexBody = ValuesIn<typeof indexFields, 'create' | 'update'>

/** The settings of an index that a document may set, and the scope that the document gives it. */
export type IndexSettings = Pick<ListIndex, NamesIn<typeof indexFields, 'sync'> | 'scope'>

/** An index as clients see it, as JSON text (contract 2.3). */
export const serializeListIndex: (index: ListIndex) => string = serializer(indexFields)

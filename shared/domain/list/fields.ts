import type { NamesIn, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, namedFields, ownFields, sayingWithoutEffect } from '../fields/resource-fields.ts'
import { serializer } from '../fields/values.ts'
import { lengths } from '../limits.ts'
import { withoutEffect } from '../without-effect.ts'
import { pathNameField } from './path-name-field.ts'
import { scopeField } from './scope.ts'

const always = ['create', 'update', 'sync'] as const
/** A document identifies a list by its path name and does not contain how a user arranges lists. */
const byRequest = ['create', 'update'] as const

/** The fields of a list (contract 2.1). */
export const listFields = sayingWithoutEffect(withoutEffect.list, {
  ...ownFields,
  ...namedFields(always, 'Shown to people; by default the path name.'),
  pathName: pathNameField,
  schema: {
    kind: 'json',
    nullable: true,
    initial: null,
    write: always,
    about: 'The JSON Schema (draft-07) that new and updated items must match; null: any data.',
  },
  scope: scopeField,
  pinned: {
    kind: 'flag',
    initial: false,
    write: byRequest,
    filter: true,
    about: 'A hint for apps, which may show it before others.',
  },
  readonly: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Prevents changes to the list, its indexes and its items.',
  },
  realtime: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Whether changes are offered as a live stream.',
  },
  protected: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Prevents deleting the list while it has items.',
  },
  indexable: {
    kind: 'flag',
    initial: true,
    write: always,
    filter: true,
    about: 'Whether tokens may list and search the items.',
  },
  generative: {
    kind: 'flag',
    initial: false,
    write: always,
    filter: true,
    about: 'Whether content of the list may be generated.',
  },
  generativePrompt: {
    kind: 'text',
    max: lengths.description,
    nullable: true,
    initial: null,
    write: always,
    about: 'The prompt that content is generated from.',
  },
  activated: {
    kind: 'flag',
    initial: true,
    write: byRequest,
    filter: true,
    about: 'Whether tokens see the list; false hides it from them.',
  },
  itemCount: {
    kind: 'integer',
    min: 0,
    initial: 0,
    about:
      'The number of items that the caller may view; for API tokens, of those that are activated. Null for tokens whose rules have conditions on the items.',
  },
  accountId,
  deactivatedCount: {
    kind: 'integer',
    initial: 0,
    hidden: true,
    about: 'The number of its items that are not activated: tokens do not see them.',
  },
  termsId: {
    kind: 'integer',
    nullable: true,
    initial: null,
    hidden: true,
    about:
      'The id that the words of its items are stored under; it changes when other indexes are searched. Null: no index is searched.',
  },
  termsOf: {
    kind: 'text',
    max: lengths.digest,
    nullable: true,
    initial: null,
    hidden: true,
    about: 'The indexes that these words come from, as a digest: older code changes them alone.',
  },
  configVersion: {
    kind: 'integer',
    initial: 1,
    hidden: true,
    about:
      'Increases with every change of the settings, schema or indexes; a write names the version that validated it.',
  },
})

/** A list as the code represents it; its schema is source text. */
export interface List extends ValuesOf<typeof listFields> {}

/** The fields that a request may set. */
export type ListBody = ValuesIn<typeof listFields, 'create' | 'update'>

/** The settings of a list that a document may set, and the scope that the document gives it. */
export type ListSettings = Pick<List, NamesIn<typeof listFields, 'sync'> | 'scope'>

/** The list in a webhook payload (specification, "List reference"). */
export type ListReference = Pick<List, 'id' | 'name' | 'pathName'>

/** A list as clients see it, as JSON text (contract 2.1). `itemCount` null: it is not shown. */
export const serializeList: (list: Omit<List, 'itemCount'> & { itemCount: number | null }) => string = serializer(
  listFields,
) as never

import test from 'ava'
import type { List, ListBody } from '#shared/domain/list/fields.ts'
import { changedList, newList } from '#shared/domain/list/settings.ts'
import { AppError } from '#shared/errors.ts'

const created = (fields: ListBody) => newList(fields, { id: 'id-1', accountId: 'account-1', at: 1_000 })
const list = (changes: Partial<List> = {}): List => ({ ...created({ pathName: 'a' }), ...changes })

test('a new list has the defaults of the contract', (t) => {
  t.deepEqual(created({ name: 'My Recipes' }), {
    id: 'id-1',
    accountId: 'account-1',
    createdAt: 1_000,
    updatedAt: 1_000,
    name: 'My Recipes',
    description: '',
    tags: [],
    pathName: 'my-recipes',
    schema: null,
    scope: null,
    pinned: false,
    readonly: false,
    realtime: false,
    protected: false,
    indexable: true,
    generative: false,
    generativePrompt: null,
    activated: true,
    itemCount: 0,
    deactivatedCount: 0,
    configVersion: 1,
    termsId: null,
    termsOf: null,
  })
})

const names: [claim: string, fields: ListBody, name: string, pathName: string][] = [
  ['a path name is derived from the name', { name: 'Ä b' }, 'Ä b', 'a-b'],
  ['a list without a name gets its path name as name', { pathName: 'A_b' }, 'A_b', 'A_b'],
  ['both are kept unchanged', { name: 'x', pathName: 'Y' }, 'x', 'Y'],
  ['if no character of the name is allowed in a path name, the path name is the id', { name: '!?' }, '!?', 'list-id-1'],
]

for (const [claim, fields, name, pathName] of names) {
  test(claim, (t) => t.like(created(fields), { name, pathName }))
}

test('tags are stored lower-case, each once', (t) => {
  t.deepEqual(created({ name: 'x', tags: ['B', 'a', 'b'] }).tags, ['b', 'a'])
  t.deepEqual(changedList(list(), { tags: ['C', 'c'] }, 2_000).tags, ['c'])
})

test('a change keeps fields that it omits, and is later than the previous one', (t) => {
  const before = list({ description: 'kept', configVersion: 7, itemCount: 3 })
  t.deepEqual(changedList(before, { pinned: true }, 2_000), { ...before, pinned: true, updatedAt: 2_000 })
  t.is(changedList(before, { pinned: true }, 10).updatedAt, 1_001)
})

test('a readonly list accepts only a change with readonly: false', (t) => {
  const before = list({ readonly: true })
  for (const fields of [{ name: 'x' }, { readonly: true }, { readonly: true, name: 'x' }]) {
    const { name } = t.throws(() => changedList(before, fields, 0), { instanceOf: AppError })
    t.is(name, 'LIST_READONLY')
  }
  t.like(changedList(before, { readonly: false, name: 'x' }, 0), { readonly: false, name: 'x' })
})

test('the tag of the scope that manages a list stays, in addition to twenty of its own', (t) => {
  const before = list({ scope: 'Kitchen', tags: ['a', 'kitchen'] })
  const twenty = Array.from({ length: 20 }, (_, n) => `t${n}`)
  t.deepEqual(changedList(before, { tags: [] }, 0).tags, ['kitchen'])
  t.deepEqual(changedList(before, { tags: ['KITCHEN', ...twenty] }, 0).tags, [...twenty, 'kitchen'])
  t.deepEqual(changedList(before, { name: 'x' }, 0).tags, ['a', 'kitchen'])
  t.throws(() => changedList(before, { tags: [...twenty, 'one-more'] }, 0), { instanceOf: AppError })
})

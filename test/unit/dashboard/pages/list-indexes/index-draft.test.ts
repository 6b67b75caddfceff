import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import {
  changesOf,
  consequences,
  draftOf,
  losses,
  newDraft,
  proposedPathName,
  proposedType,
  whyNotRole,
} from '#services/dashboard/pages/list-indexes/index-draft.ts'

const index: Index = {
  id: '0190f5fe-7c00-7a00-8000-000000000001',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  name: 'slug',
  description: '',
  tags: [],
  pathName: 'slug',
  scope: null,
  pointer: '/slug',
  valueType: 'string',
  alias: true,
  sorting: false,
  filtering: true,
  searching: false,
  guard: false,
  defaultOrderDirection: 'asc',
  activated: true,
  buildStatus: 'ready',
}

test('a path name is proposed from the last segment of a pointer that is a name', (t) => {
  t.is(proposedPathName('/author/Full Name'), 'full-name')
  t.is(proposedPathName('/tags/0'), 'tags')
  t.is(proposedPathName(''), '')
  t.is(proposedPathName('no pointer'), '')
})

test('a type is proposed from a value', (t) => {
  t.is(proposedType(4.5), 'number')
  t.is(proposedType('2026-03-01'), 'date')
  t.is(proposedType('2026-03-01T10:00:00Z'), 'date')
  t.is(proposedType('2026-13-01'), 'string')
  t.is(proposedType('soup'), 'string')
  t.is(proposedType(null), 'string')
})

test('a new index sends only what differs from the defaults', (t) => {
  t.deepEqual(changesOf(null, { ...newDraft('/serves'), valueType: 'number', sorting: true }), {
    pathName: 'serves',
    pointer: '/serves',
    valueType: 'number',
    sorting: true,
  })
})

test('an existing index sends only what was changed', (t) => {
  t.deepEqual(changesOf(index, draftOf(index)), {})
  t.deepEqual(changesOf(index, { ...draftOf(index), filtering: false, name: 'Slug' }), {
    name: 'Slug',
    filtering: false,
  })
})

test('a guard index has no other role, and a list has one alias index', (t) => {
  const draft = newDraft('/cost')
  t.is(whyNotRole('guard', draft, []), null)
  t.regex(whyNotRole('guard', { ...draft, sorting: true }, []) ?? '', /another role/)
  t.regex(whyNotRole('sorting', { ...draft, guard: true }, []) ?? '', /another role/)
  t.regex(whyNotRole('alias', draft, [index]) ?? '', /It is slug/)
  t.is(whyNotRole('alias', { ...draft, alias: true }, [index]), null, 'what is on can be switched off')
})

test('a change that builds the index says so, with the number of items', (t) => {
  const draft = draftOf(index)
  t.deepEqual(consequences(index, draft, 7), [])
  t.regex(consequences(null, draft, 7).join(), /values of the 7 stored items are added/)
  t.deepEqual(consequences(null, draft, 0), [])
  t.regex(consequences(index, { ...draft, pointer: '/x' }, 7).join(), /Another pointer builds the index again/)
  t.regex(consequences(index, { ...draft, valueType: 'number' }, 1).join(), /Another type .* the stored item\b/)
})

test('turning off a role, or deleting its index, lists what will no longer work', (t) => {
  t.deepEqual(losses(index, null), [
    'Items can no longer be addressed by their value.',
    'Requests that filter by slug are rejected.',
  ])
  t.deepEqual(losses(index, { ...draftOf(index), alias: false }), ['Items can no longer be addressed by their value.'])
  t.regex(
    losses({ ...index, alias: false, filtering: false, guard: true }, null).join(),
    /tokens see the value at \/slug/,
  )
})

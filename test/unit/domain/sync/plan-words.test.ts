import test from 'ava'
import {
  consentsOf,
  destruction,
  effectWords,
  fieldWords,
  hasChanges,
  neededConsents,
  type ReportedChange,
  summaryWords,
} from '#shared/domain/sync/plan-words.ts'

const none = { create: 0, update: 0, adopt: 0, delete: 0, noChange: 0, error: 0, builds: 0, destructive: 0 }
const index = { resourceType: 'index', list: 'recipes', index: 'serves' } as const
const rebuilt: ReportedChange = {
  ...index,
  action: 'update',
  fields: { pointer: { from: '/serves', to: '/portions' } },
  build: { reason: 'pointerChanged', items: 1204, requiresConfirmation: true },
}
const revealed: ReportedChange = { ...index, action: 'update', fields: { guard: { from: true, to: false } } }
const deleted: ReportedChange = {
  resourceType: 'list',
  list: 'drafts',
  action: 'delete',
  delete: { items: 1053, indexes: 1, destructive: true },
}

test('a field is described by the places where it differs, eight at most, with long values cut', (t) => {
  const change = (from: unknown, to: unknown) =>
    fieldWords({ ...index, action: 'update', fields: { schema: { from, to } } })
  t.deepEqual(change({ type: 'object', a: 1 }, { type: 'object', b: 'x'.repeat(90) }), [
    {
      name: 'schema',
      places: [
        { pointer: '/a', from: '1', to: 'nothing' },
        { pointer: '/b', from: 'nothing', to: `"${'x'.repeat(59)}…` },
      ],
      more: 0,
    },
  ])
  const ten = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`key${n}`, n]))
  t.deepEqual(
    change({}, ten).map(({ places, more }) => [places.length, more]),
    [[8, 2]],
  )
  t.deepEqual(fieldWords({ ...index, action: 'create' }), [])
})

test('a build and a deletion name the number of affected items', (t) => {
  t.deepEqual(effectWords(rebuilt), [{ verb: 'rebuild', object: 'with the values of 1,204 items' }])
  t.deepEqual(effectWords(deleted), [{ verb: 'deletes', object: '1,053 items and 1 index' }])
  t.deepEqual(effectWords({ ...index, action: 'delete', delete: { destructive: true } }), [])
})

test('a change names the options that it needs, and so does the plan', (t) => {
  t.deepEqual(consentsOf(rebuilt), ['allowRebuild'])
  t.deepEqual(consentsOf(revealed), ['allowDestructive'])
  t.deepEqual(consentsOf(deleted), ['allowDestructive'])
  t.deepEqual(consentsOf({ ...index, action: 'create' }), [])
  const plan = { changes: [rebuilt, deleted], summary: { ...none, destructive: 1 } }
  t.deepEqual(neededConsents(plan), ['allowRebuild', 'allowDestructive'])
  t.deepEqual(neededConsents({ changes: [], summary: none }), [])
})

test('an irreversible change is confirmed by typing the number of items, or yes if no item is deleted', (t) => {
  t.deepEqual(destruction({ changes: [deleted, rebuilt], summary: { ...none, destructive: 1 } }), {
    sentence: 'This permanently deletes 1,053 items.',
    typed: '1053',
  })
  t.deepEqual(destruction({ changes: [revealed], summary: { ...none, destructive: 1 } }), {
    sentence: 'This makes guarded values visible.',
    typed: 'yes',
  })
  t.is(destruction({ changes: [rebuilt], summary: none }), null)
})

test('the summary leaves out counts of zero', (t) => {
  t.deepEqual(summaryWords({ ...none, create: 2, noChange: 1 }), ['2 to create', '1 unchanged'])
  t.true(hasChanges({ changes: [{ action: 'no-change' }, rebuilt] }))
  t.false(hasChanges({ changes: [{ action: 'no-change' }] }))
})

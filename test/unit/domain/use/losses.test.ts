import test from 'ava'
import type { List } from '#shared/domain/list/fields.ts'
import type { IndexBody, ListIndex } from '#shared/domain/list/index-fields.ts'
import { changedIndex, newIndex } from '#shared/domain/list/index-settings.ts'
import { indexLosses, type Loss, listLosses, webhookLosses } from '#shared/domain/use/losses.ts'

const own = { id: 'i', accountId: 'a', listId: 'l', at: 0 }
const everyUse = { pathName: 'minutes', pointer: '/minutes', alias: true, sorting: true, filtering: true }
const index = (body: IndexBody = {}): ListIndex => newIndex({ ...everyUse, searching: true, ...body }, own)
const usesIn = (losses: readonly Loss[]) => losses.map(({ use }) => [use.kind, use.name].filter(Boolean).join(' '))
const causesIn = (losses: readonly Loss[]) => [...new Set(losses.map(({ cause }) => cause))]

function change(body: IndexBody | null, before = index()): Loss[] {
  return indexLosses('Cards', { before, after: body && changedIndex(before, body, 1) })
}

const all = ['rule i', 'filter minutes', 'any-filter', 'order minutes', 'alias', 'search']

const changes: [change: IndexBody | null, uses: string[], cause: string][] = [
  [null, all, 'The index minutes is deleted'],
  [{ filtering: false }, ['rule i', 'filter minutes', 'any-filter'], 'The index minutes no longer filters'],
  [{ sorting: false }, ['order minutes'], 'The index minutes no longer sorts'],
  [{ alias: false }, ['alias'], 'The index minutes is no longer the alias'],
  [{ searching: false }, ['search'], 'The index minutes is no longer searched'],
  [{ pointer: '/time' }, all, 'The index minutes has a new pointer'],
  [{ valueType: 'number' }, all, 'The index minutes has a new value type'],
  [
    { pathName: 'time' },
    ['filter minutes', 'any-filter', 'order minutes'],
    'The path name minutes of an index becomes time',
  ],
]
for (const [body, uses, cause] of changes) {
  test(`a change of an index to ${JSON.stringify(body)} removes ${uses.join(', ')}`, (t) => {
    const losses = change(body)
    t.deepEqual(usesIn(losses), uses)
    t.deepEqual(causesIn(losses), [cause])
    t.true(losses.every(({ use }) => use.list === 'cards'))
  })
}

test('a deactivated index serves nothing', (t) => {
  t.deepEqual(usesIn(change({ activated: false })), all)
})

test('a use that an index did not serve is not lost', (t) => {
  const idle = index({ alias: false, sorting: false, filtering: false, searching: false })
  for (const body of [null, { pointer: '/time' }, { pathName: 'time' }, { activated: false }])
    t.deepEqual(change(body, idle), [])
  t.deepEqual(change(null, index({ activated: false })), [])
  t.deepEqual(change({ description: 'x', tags: ['y'], pathName: 'MINUTES', defaultOrderDirection: 'desc' }), [])
})

test('a new index removes no use, unless it guards its values', (t) => {
  t.deepEqual(indexLosses('cards', { before: null, after: index() }), [])
  const guard = newIndex({ pathName: 'secret', pointer: '/secret', guard: true }, own)
  const [loss, ...others] = indexLosses('cards', { before: null, after: guard })
  t.deepEqual(loss, { use: { kind: 'read', list: 'cards', name: '' }, cause: 'The index secret guards its values' })
  t.deepEqual(others, [])
  t.deepEqual(indexLosses('cards', { before: guard, after: guard }), [])
})

const list = { pathName: 'Cards', readonly: false, activated: true } as List
const listChanges: [change: Partial<List> | null, losses: [string, string][]][] = [
  [null, [['list', 'The list Cards is deleted']]],
  [{ pathName: 'decks' }, [['list', 'The path name Cards becomes decks']]],
  [{ pathName: 'cards' }, []],
  [{ activated: false }, [['list', 'The list Cards is hidden from tokens only']]],
  [{ readonly: true }, [['write', 'The list Cards becomes read-only']]],
  [{ description: 'x', schema: '{}', protected: true, indexable: false }, []],
]
for (const [changed, losses] of listChanges) {
  test(`a change of a list to ${JSON.stringify(changed)} removes ${losses.length} uses`, (t) => {
    const found = listLosses(list, changed && { ...list, ...changed })
    t.deepEqual(
      found.map(({ use, cause }) => [use.kind, cause]),
      losses,
    )
    t.true(found.every(({ use }) => use.list === 'cards' && use.name === ''))
  })
}

test('a webhook that is deleted or deactivated is lost to its emitters', (t) => {
  t.deepEqual(usesIn(webhookLosses('w', null)), ['webhook w'])
  t.deepEqual(causesIn(webhookLosses('w', { activated: false })), ['The webhook is no longer active'])
  t.deepEqual(webhookLosses('w', { activated: true }), [])
})

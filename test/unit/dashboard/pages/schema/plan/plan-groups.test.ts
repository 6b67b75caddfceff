import test from 'ava'
import { groupsOf, planDifference } from '#services/dashboard/pages/schema/plan/plan-groups.ts'
import type { ReportedChange } from '#shared/domain/sync/plan-words.ts'

const list = (name: string, more: Partial<ReportedChange> = {}): ReportedChange => ({
  resourceType: 'list',
  list: name,
  action: 'update',
  ...more,
})
const index = (name: string, more: Partial<ReportedChange> = {}): ReportedChange => ({
  ...list('recipes', more),
  resourceType: 'index',
  index: name,
})

test('a plan is grouped by list; unchanged lists are left out unless they have a warning', (t) => {
  const kept = index('slug', { action: 'no-change', warnings: ['It finds nothing.'] })
  const groups = groupsOf([
    list('recipes', { action: 'no-change' }),
    kept,
    index('serves'),
    list('menus', { action: 'create' }),
    list('plain', { action: 'no-change' }),
  ])
  t.deepEqual(
    groups.map(({ list, changes }) => [list, changes.map(({ index }) => index)]),
    [
      ['recipes', ['slug', 'serves']],
      ['menus', [undefined]],
    ],
  )
})

test('two plans differ by new changes, other changes and missing changes', (t) => {
  const before = [list('recipes'), index('slug'), index('serves'), list('menus', { action: 'no-change' })]
  const after = [
    list('recipes'),
    index('slug', { fields: { name: { from: 'a', to: 'b' } } }),
    index('serves', { action: 'no-change' }),
    list('menus'),
  ]
  const { now, gone } = planDifference(before, after)
  t.deepEqual(
    [...now],
    [
      ['recipes/slug', 'changed'],
      ['menus/', 'new'],
    ],
  )
  t.deepEqual(gone, [index('serves')])
})

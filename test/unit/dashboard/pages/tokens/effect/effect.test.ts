import test from 'ava'
import {
  type Cell,
  cellOf,
  changesOf,
  groupRows,
  listRows,
  reasonFor,
} from '#services/dashboard/pages/tokens/effect/effect.ts'
import { accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions, type Permissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const list = { id: '01900000-0000-7000-8000-000000000001', pathName: 'recipes', activated: true, indexable: true }
const item = '01900000-0000-7000-8000-000000000002'
const somebody = { id: 'somebody', groupName: null }
const callOf = (about: string, name: string) => {
  const found = accessCalls.find((call) => call.about === about && call.name === name)
  if (!found) throw new Error(`there is no call ${about}: ${name}`)
  return found
}
const view = callOf('items', 'view')

const signIn: PermissionRule = { mode: 'allow', action: 'authenticate' }
const everything: PermissionRule = { mode: 'allow', action: '*' }

/** The content of a cell, in the row of the list or in the row for any other list. */
function stateOf(
  rules: PermissionRule[],
  { call = view, acting = null as typeof somebody | null, other = false } = {},
) {
  const rows = listRows([list], rules)
  return cellOf(compilePermissions(rules), call, (other ? rows.at(-1) : rows[0]) ?? { name: '', thing: {} }, acting)
}

/** The same for compiled rules, in the row of the list. */
const stateBy = (permissions: Permissions) =>
  cellOf(permissions, view, listRows([list], [])[0] ?? { name: '', thing: {} }, null)

test('a cell is yes, no, or own if only the owner of an item is allowed', (t) => {
  t.is(stateOf([everything])?.state, 'yes')
  t.is(stateOf([])?.state, 'no')
  const own: PermissionRule[] = [signIn, { mode: 'allow', action: 'view-with-identity' }]
  t.is(stateOf(own)?.state, 'no')
  t.is(stateOf(own, { acting: somebody })?.state, 'own')
  t.is(stateOf([{ mode: 'allow', action: 'view-with-identity' }], { acting: somebody })?.state, 'no')
})

test('a cell says that it depends on the item if only conditions allow or block some items', (t) => {
  const listIds = [list.id]
  const published = { resourceType: 'item', action: 'view', listIds, where: { status: 'eq:published' } } as const
  const allow: PermissionRule[] = [{ mode: 'allow', ...published }]
  t.like(stateOf(allow), { state: 'some', hasConditions: true, verdict: { rule: 0 } })
  t.is(stateOf(allow, { call: callOf('items', 'page') })?.state, 'some')
  t.is(stateOf(allow, { other: true })?.state, 'no')
  t.is(stateOf([everything, { mode: 'block', ...published }])?.state, 'some')
  t.is(stateOf([...allow, everything])?.state, 'yes')
  const update: PermissionRule = { ...published, mode: 'allow', action: 'update', changes: ['/title'] }
  t.is(stateOf([{ mode: 'allow', action: 'view' }, update], { call: callOf('items', 'update') })?.state, 'some')
  t.regex(
    reasonFor(allow, stateOf(allow) as Cell, () => 'hidden'),
    /^It depends on the item: rule 1 allows "view item" where its conditions hold\.$/,
  )
})

test('rules that name items are counted, and make a page of items uncertain', (t) => {
  const rules: PermissionRule[] = [{ mode: 'allow', action: 'view', itemIds: [item] }]
  t.like(stateOf(rules), { state: 'no', namedItems: 1 })
  t.is(stateOf(rules, { call: callOf('items', 'page') })?.state, 'some')
})

test('tokens can read the items of a list that is not indexable only one by one, and those of a deactivated list not at all', (t) => {
  const page = callOf('items', 'page')
  const stateIn = (change: object, call = page) =>
    cellOf(
      compilePermissions([everything]),
      call,
      listRows([{ ...list, ...change }], [])[0] ?? { name: '', thing: {} },
      null,
    )?.verdict
  t.like(stateIn({ indexable: false }), { answer: 'forbidden', because: 'not listed' })
  t.like(stateIn({ indexable: false }, view), { answer: 'allowed' })
  t.like(stateIn({ activated: false }, view), { answer: 'hidden', because: 'list switched off' })
})

test('the lists that rules name come first, and the last row is for all others', (t) => {
  const many = Array.from({ length: 30 }, (_, n) => ({ ...list, id: `L${n}`, pathName: `list-${n}` }))
  const names = listRows(many, [{ mode: 'block', action: '*', listIds: ['L20'] }]).map(({ name }) => name)
  t.is(names[0], 'list-20')
  t.is(names.length, 13)
  t.is(names.at(-1), 'any other list')
  t.is(stateOf([everything], { call: callOf('lists', 'create') }), null)
  t.is(stateOf([everything], { call: callOf('lists', 'create'), other: true })?.state, 'yes')
})

test('the deciding rule is shown, and the result without it', (t) => {
  const rules: PermissionRule[] = [everything, { mode: 'block', action: 'view', listIds: [list.id] }]
  const reason = (some: PermissionRule[]) => {
    const cell = stateOf(some)
    return cell && reasonFor(some, cell, (others) => stateBy(others)?.verdict.answer)
  }
  t.is(reason(rules), 'Rule 2 decides "view item": it blocks it. Without it the answer would be yes.')
  t.is(reason([]), 'No rule covers "view item", and nothing is allowed by default.')
})

test('a change of rules is shown as its effect on the calls', (t) => {
  const rows = { lists: listRows([list], []), groups: groupRows(['members']) }
  t.deepEqual(changesOf([], [{ mode: 'allow', action: 'delete', resourceType: 'item', listIds: [list.id] }], rows), [
    { what: 'items: delete', where: 'recipes', from: 'no', to: 'yes' },
  ])
  t.deepEqual(
    changesOf([signIn], [signIn, { mode: 'allow', action: 'update-with-identity', resourceType: 'item' }], rows).map(
      ({ what, to }) => `${what} ${to}`,
    ),
    ['items: update own', 'items: update own'],
  )
  t.deepEqual(changesOf([everything], [everything, everything], rows), [])
})

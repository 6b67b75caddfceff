import test from 'ava'
import { conditionsMet } from '#services/dashboard/pages/tokens/effect/conditions-met.ts'
import { tryCell } from '#services/dashboard/pages/tokens/effect/effect.ts'
import { createdOf, newItem, statesOf, withConditions } from '#services/dashboard/pages/tokens/effect/tried-item.ts'
import { accessCalls } from '#shared/domain/access/calls.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import type { Grant } from '#shared/domain/access/permissions.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import type { RuledList } from '#shared/domain/item-rules/bound-rules.ts'
import { readRuleIndexes } from '#shared/domain/item-rules/rule-indexes.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'

const listId = '01900000-0000-7000-8000-000000000001'
const status = { id: 's', valuesId: 's', listId, pathName: 'status', pointer: '/status', filtering: true }
const list: RuledList = { id: listId, indexes: [{ ...initialValues(indexFields), ...status } as ListIndex] }
const of = { resourceType: 'item', listIds: [listId] } as const
const allow = (action: PermissionRule['action'], more: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'item',
  listIds: [...of.listIds],
  ...more,
})
const block = (action: PermissionRule['action'], more: Partial<PermissionRule> = {}) => ({
  ...allow(action, more),
  mode: 'block' as const,
})

type Trial = { call?: string; data?: string; after?: string; acting?: string }

/** The answer to a call about an item with this data, and the results of the conditions. */
function tried(
  rules: PermissionRule[],
  { call: name = 'view', data = '{"status":"draft"}', after, acting }: Trial = {},
) {
  const call = accessCalls.find((one) => one.about === 'items' && one.name === name)
  if (!call) throw new Error(name)
  const signIn: PermissionRule = { mode: 'allow', action: 'authenticate' }
  const all = [signIn, ...rules]
  const { indexes, errors } = readRuleIndexes(all, () => list.indexes, 'rules')
  if (errors.length > 0) throw new Error(JSON.stringify(errors))
  const identity = acting ? { id: acting, groupName: null } : null
  const grant: Grant = { permissions: compilePermissions(all, indexes), identity, askedAt: 1 }
  const item = { ...newItem(data, grant, listId), id: 'x', identity: null }
  const states = name === 'create' ? createdOf(item, list) : statesOf(list, item, { data: after ?? null, grant })
  const about = withConditions({ list: { id: listId, activated: true, indexable: true } }, grant, list, states)
  const { state, verdict } = tryCell(grant, call, about)
  return [state, ...conditionsMet({ grant, call, thing: about, verdict, states })]
}

const published = { status: 'eq:published' }

test('the deciding condition is named, with its rule', (t) => {
  const rules = [allow('view', { where: published })]
  t.deepEqual(tried(rules), ['no', 'Rule 2 does not match: status is published is false.'])
  t.deepEqual(tried(rules, { data: '{"status":"published"}' }), ['yes', 'Rule 2 matches: its conditions hold.'])
})

test('rules after the deciding one are reported with the reason why they do not match, those before it not at all', (t) => {
  const rules = [allow('view', { where: published }), allow('view'), block('view', { where: published })]
  t.deepEqual(tried(rules), ['yes', 'Rule 4 does not match: status is published is false.'])
  t.deepEqual(tried(rules, { data: '{"status":"published"}' }), ['no', 'Rule 4 matches: its conditions hold.'])
})

test('a block rule whose conditions are unknown blocks, and says why', (t) => {
  const rules = [allow('view'), block('view', { where: { status: 'eq:$identity.id' } })]
  const unknown = 'Rule 3 blocks anything not known to be allowed: status is $identity.id is unknown.'
  t.deepEqual(tried(rules), ['no', unknown])
  t.deepEqual(tried(rules, { acting: 'ada' }), ['yes', 'Rule 3 does not match: status is $identity.id is false.'])
})

test('an update is checked before and after, and for the changes that it makes', (t) => {
  const where = { status: 'eq:draft' }
  const rules = [
    allow('view'),
    allow('update', { where, becomes: { status: 'in:draft,sent' }, changes: ['/status', '/title'] }),
  ]
  const update = (after: string, data = '{"status":"draft"}') => tried(rules, { call: 'update', data, after })
  t.deepEqual(update('{"status":"sent"}'), ['yes', 'Rule 3 matches: its conditions hold.'])
  t.deepEqual(update('{"status":"published"}'), [
    'no',
    'Rule 3 does not match: afterwards status is one of draft,sent is false.',
  ])
  t.deepEqual(update('{"status":"sent"}', '{"status":"sent"}'), [
    'no',
    'Rule 3 does not match: before status is draft is false.',
  ])
  t.deepEqual(update('{"status":"draft","rank":1}'), [
    'no',
    'Rule 3 does not match: it changes something other than /status, /title.',
  ])
})

test('a create is checked with the item that it creates, a page with what any of its items could be', (t) => {
  const rules = [allow('create', { where: { status: 'eq:draft' } })]
  t.is(tried(rules, { call: 'create' })[0], 'yes')
  t.deepEqual(tried(rules, { call: 'create', data: '{"status":"published"}' }), [
    'no',
    'Rule 2 does not match: status is draft is false.',
  ])
  const mine = [allow('view', { where: { status: 'eq:$identity.id' } })]
  t.is(tried(mine, { call: 'page' })[0], 'no')
  t.is(tried(mine, { call: 'page', acting: 'ada' })[0], 'yes')
})

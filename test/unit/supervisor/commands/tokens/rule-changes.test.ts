import test from 'ava'
import { renderRuleChanges, ruleChanges } from '#services/supervisor/commands/tokens/rule-changes.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const view: PermissionRule = { mode: 'allow', action: 'view', resourceType: 'item' }
const create: PermissionRule = { mode: 'allow', action: 'create', resourceType: 'item' }
const block: PermissionRule = { mode: 'block', action: 'delete' }

test('removed and new rules are reported with their positions, in any order of their keys', (t) => {
  const sameView = { resourceType: 'item', action: 'view', mode: 'allow' } as const
  const changes = ruleChanges([create, view], [sameView, block])
  t.deepEqual(changes, {
    removed: [{ position: 0, rule: create }],
    added: [{ position: 1, rule: block }],
    isReordered: false,
  })
  t.deepEqual(renderRuleChanges(changes), [
    '- rule 1: {"mode":"allow","action":"create","resourceType":"item"}',
    '+ rule 2: {"mode":"block","action":"delete"}',
  ])
  t.deepEqual(renderRuleChanges(ruleChanges([view], [sameView])), [])
})

test('another order is reported, and a rule that occurs less often', (t) => {
  t.true(ruleChanges([view, block], [block, view]).isReordered)
  t.deepEqual(ruleChanges([view, view, block], [view, block]).removed, [{ position: 1, rule: view }])
  t.deepEqual(renderRuleChanges(ruleChanges([view, block, create], [block, view])), [
    '- rule 3: {"mode":"allow","action":"create","resourceType":"item"}',
    'The order of the other rules changed.',
  ])
})

test('of many rules twenty are shown, with the number of the others', (t) => {
  const many = Array.from({ length: 23 }, (_, n): PermissionRule => ({ ...view, itemIds: [`item ${n}`] }))
  const lines = renderRuleChanges(ruleChanges([], many))
  t.is(lines.length, 21)
  t.is(lines.at(-1), '+ and 3 more')
})

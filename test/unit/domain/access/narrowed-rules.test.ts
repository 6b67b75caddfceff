import test from 'ava'
import { narrowedRules } from '#shared/domain/access/narrowed-rules.ts'
import { allowEverything, type PermissionRule } from '#shared/domain/access/permission-rule.ts'

const id = '00000000-0000-7000-8000-000000000001'
const view: PermissionRule = { mode: 'allow', action: 'view' }

const rules: [claim: string, rule: PermissionRule, isNarrowed: boolean][] = [
  ['without a type it covered everything that can be viewed', { ...view, flowIds: ['*'] }, true],
  ['with its own type it lost nothing', { ...view, resourceType: 'flow', flowIds: ['*'] }, false],
  ['with another type it no longer covers anything', { ...view, resourceType: 'list', itemIds: ['*'] }, true],
  [
    'a rule for an action that only flows have never covered more',
    { mode: 'allow', action: 'run', flowIds: ['*'] },
    false,
  ],
  ['events of lists are not events of items', { ...view, resourceType: 'event', itemIds: ['*'] }, true],
  ['next to ids it covers the same as before', { ...view, listIds: ['*'], itemIds: [id] }, false],
  ['with ids it covers the same as before', { ...view, listIds: [id] }, false],
  ['a rule that blocks still covers the same', { ...view, mode: 'block', flowIds: ['*'] }, false],
]
for (const [claim, rule, isNarrowed] of rules) {
  test(`a rule with * in a selector: ${claim}`, (t) => {
    t.deepEqual(narrowedRules([view, rule, ...allowEverything]), isNarrowed ? [1] : [])
  })
}

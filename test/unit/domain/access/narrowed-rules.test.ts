import test from 'ava'
import { narrowedRules } from '#shared/domain/access/narrowed-rules.ts'
import { allowEverything, type PermissionRule } from '#shared/domain/access/permission-rule.ts'

const id = '00000000-0000-7000-8000-000000000001'
const view: PermissionRule = { mode: 'allow', action: 'view' }

const rules: [claim: string, rule: PermissionRule, isNarrowed: boolean][] = [
  ['without a type it covered all that can be viewed', { ...view, flowIds: ['*'] }, true],
  ['with its own type it lost nothing', { ...view, resourceType: 'flow', flowIds: ['*'] }, false],
  ['with another type it covers nothing any more', { ...view, resourceType: 'list', itemIds: ['*'] }, true],
  ['what is only done to flows was never more', { mode: 'allow', action: 'run', flowIds: ['*'] }, false],
  ['events of lists are not events of items', { ...view, resourceType: 'event', itemIds: ['*'] }, true],
  ['next to ids it is as before', { ...view, listIds: ['*'], itemIds: [id] }, false],
  ['ids are as before', { ...view, listIds: [id] }, false],
  ['what blocks keeps its reach', { ...view, mode: 'block', flowIds: ['*'] }, false],
]
for (const [claim, rule, isNarrowed] of rules) {
  test(`a rule with * in a selector: ${claim}`, (t) => {
    t.deepEqual(narrowedRules([view, rule, ...allowEverything]), isNarrowed ? [1] : [])
  })
}

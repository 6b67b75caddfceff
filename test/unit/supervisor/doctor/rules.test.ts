import test from 'ava'
import { checkRules } from '#services/supervisor/doctor/rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const view: PermissionRule = { mode: 'allow', action: 'view' }

test('tokens whose rules cover less than before are named with the rules, ten of them', (t) => {
  t.deepEqual(checkRules([]), [{ state: 'ok', message: 'no rule covers less than before' }])
  const permissions = [view, { ...view, flowIds: ['*'] }]
  const [found] = checkRules(Array.from({ length: 12 }, (_, n) => ({ id: `id-${n}`, name: 'ci', permissions })))
  t.is(found?.state, 'note')
  t.regex(
    found?.message ?? '',
    /cover only resources with such an id: ci \(id-0: rule 2\); ci \(id-1: rule 2\); .* and 2 more$/,
  )
})

import test from 'ava'
import { conditionWordsOf } from '#services/dashboard/pages/tokens/condition-words.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const rule: PermissionRule = { mode: 'allow', action: 'update', resourceType: 'item' }

test('the condition of a rule is described as part of a sentence', (t) => {
  t.is(conditionWordsOf(rule), null)
  t.is(
    conditionWordsOf({ ...rule, where: { status: 'eq:published', publishAt: 'before:$now' } }),
    'where status is published and publishAt is until $now',
  )
  t.is(
    conditionWordsOf({
      ...rule,
      where: { or: [{ status: 'not:in:a,b' }, { not: { tagged: 'x' } }], minutes: ['gte:4', 'null'] },
      becomes: { status: 'eq:sent' },
      changes: ['/title', ''],
    }),
    'where (not (status is one of a,b) or not (tagged has x)) and minutes is at least 4 and minutes has no value; afterwards status is sent; only /title, all data',
  )
  t.is(conditionWordsOf({ ...rule, mode: 'block', changes: ['/a'] }), 'if one of /a')
})

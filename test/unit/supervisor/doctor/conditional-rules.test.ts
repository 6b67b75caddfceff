import test from 'ava'
import { type Found, reportOf } from '#services/supervisor/doctor/conditional-rules.ts'

const nothing: Found = { overwritten: [], unknown: [], byName: [], byGroup: [] }

test('for rules with conditions the doctor reports those that no longer apply, and possible surprises', (t) => {
  t.deepEqual(
    reportOf(nothing).map(({ state }) => state),
    ['ok'],
  )
  const tokens = Array.from({ length: 12 }, (_, n) => `app (id-${n}: rule 1)`)
  for (const [name, says] of [
    ['overwritten', /process of version 0\.2/],
    ['unknown', /an index has changed/],
    ['byName', /\$identity\.name, which identities can change/],
    ['byGroup', /differ only in case/],
  ] as const) {
    const [found, ...others] = reportOf({ ...nothing, [name]: tokens })
    t.deepEqual([found?.state, others], ['note', []])
    t.regex(found?.message ?? '', says)
    t.regex(found?.message ?? '', /app \(id-9: rule 1\) and 2 more$/)
  }
})

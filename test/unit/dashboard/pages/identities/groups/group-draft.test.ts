import test from 'ava'
import type { IdentityGroup } from '#client/src/types/user-resources.ts'
import { durationWords, inUnit, toSeconds } from '#services/dashboard/pages/identities/groups/duration.ts'
import { consequencesOf } from '#services/dashboard/pages/identities/groups/group-draft.ts'

const at = '2026-11-26T00:00:00.000Z'
const group: IdentityGroup = {
  id: '01900000-0000-7000-8000-000000000001',
  createdAt: at,
  updatedAt: at,
  name: 'members',
  sessionLifetimeSeconds: 604_800,
  sessionIdleSeconds: null,
  requireEmail: false,
  requireVerifiedEmail: false,
  minPasswordLength: 8,
}

for (const [seconds, words] of [
  [604_800, '7 days'],
  [86_400, '1 day'],
  [90_000, '25 hours'],
  [5_400, '90 minutes'],
  [61, '61 seconds'],
] as const) {
  test(`${seconds} seconds are ${words}, and read back the same`, (t) => {
    t.is(durationWords(seconds), words)
    const { value, unit } = inUnit(seconds)
    t.is(toSeconds(value, unit), seconds)
  })
}

test('a shorter lifetime warns that sessions end permanently, a longer one that it restores none', (t) => {
  t.deepEqual(consequencesOf(group, { sessionLifetimeSeconds: 86_400, sessionIdleSeconds: 3_600 }), [
    'Sessions that began more than 1 day ago end immediately.',
    'Sessions not used for 1 hour end immediately.',
    'A later change of the settings does not restore them.',
  ])
  t.deepEqual(consequencesOf({ ...group, sessionIdleSeconds: 60 }, { sessionIdleSeconds: null }), [])
  t.is(consequencesOf(group, { sessionLifetimeSeconds: 700_000 }).length, 1)
})

test('the new requirements for sign-in are shown', (t) => {
  t.deepEqual(consequencesOf(group, { requireVerifiedEmail: true, requireEmail: true, minPasswordLength: 12 }), [
    'Identities without a verified e-mail can no longer sign in.',
    'Registration requires an e-mail. Existing identities without one are not changed.',
    'Existing passwords stay valid. Only new ones are checked.',
  ])
})

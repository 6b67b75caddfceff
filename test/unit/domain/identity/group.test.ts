import test from 'ava'
import { changedGroup } from '#shared/domain/identity/group.ts'
import { defaultGroupSettings, newGroup, toGroupJson } from '#shared/domain/identity/group-fields.ts'
import { sessionEndsAt } from '#shared/domain/identity/session.ts'

test('a new group keeps its identities signed in for seven days and does not require an email', (t) => {
  t.deepEqual(defaultGroupSettings, {
    sessionLifetimeSeconds: 604_800,
    sessionIdleSeconds: null,
    minPasswordLength: 8,
    requireEmail: false,
    requireVerifiedEmail: false,
    updatedAt: 0,
    endedCreatedAt: 0,
    endedLastUsedAt: 0,
  })
})

test('sessions that a setting has ended stay ended when it is increased, and live ones stay live', (t) => {
  const now = 1_700_000_000_000
  const expiresAt = now + 1_000_000_000
  const group = newGroup({ id: 'id', accountId: 'account', name: 'staff' }, { sessionIdleSeconds: 60 }, 0)
  const shortened = changedGroup(group, { sessionLifetimeSeconds: 600, sessionIdleSeconds: 30 }, now)
  const later = now + 100_000
  const lengthened = changedGroup(shortened, { sessionLifetimeSeconds: 604_800, sessionIdleSeconds: null }, later)
  const isLive = (createdAgo: number, usedAgo: number) => {
    const times = { createdAt: later - createdAgo * 1_000, lastUsedAt: later - usedAgo * 1_000, expiresAt }
    return later < sessionEndsAt(times, lengthened)
  }
  t.true(isLive(599, 29))
  t.false(isLive(600, 0))
  t.false(isLive(599, 40))
  t.false('endedCreatedAt' in toGroupJson(lengthened))
})

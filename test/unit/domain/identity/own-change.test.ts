import test from 'ava'
import { changedBy } from '#shared/domain/identity/change.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { needsCurrentPassword, type OwnChange } from '#shared/domain/identity/own-change.ts'

const ada: Identity = {
  id: 'id',
  accountId: 'account',
  createdAt: 1,
  updatedAt: 1,
  name: 'Ada',
  displayName: 'Ada L.',
  group: null,
  tags: ['a'],
  email: 'ada@example.com',
  emailVerified: true,
  hasPassword: true,
  lastLoginAt: null,
  activated: true,
}

const cases: [change: OwnChange, changed: string[], needsPassword: boolean][] = [
  [{ name: 'Grace', displayName: 'G.' }, ['name', 'displayName'], false],
  [{ name: 'Ada', displayName: 'Ada L.', email: 'ada@example.com' }, [], false],
  [{ name: 'ada' }, ['name'], false],
  [{ email: 'Ada@example.com' }, ['email'], true],
  [{ email: null }, ['email'], true],
  [{ password: 'any' }, ['password'], true],
  [{ displayName: 'A', email: 'a@b', password: 'any' }, ['displayName', 'email', 'password'], true],
]
for (const [change, changed, needsPassword] of cases) {
  test(`${JSON.stringify(change)} changes ${changed.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(changedBy(change, ada), changed)
    t.is(needsCurrentPassword(changedBy(change, ada)), needsPassword)
  })
}

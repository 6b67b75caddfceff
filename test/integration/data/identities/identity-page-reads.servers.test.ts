import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { type IdentityOrder, identityOrders, identityRows } from '#shared/data/identities/columns.ts'
import { ensureGroup } from '#shared/data/identities/identity-groups.ts'
import { type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'

const accountId = 'account'
const count = 3_000

/** Half of the identities are in five of the ten groups; a third have never signed in. */
async function populate(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    const groups: string[] = []
    for (let n = 0; n < 10; n++) {
      groups.push((await ensureGroup(tx, { accountId, name: `group-${n}`, idIfNew: newId() })).id)
    }
    const rows = Array.from({ length: count }, (_, n) => {
      const group = n % 2 ? `group-${n % 10}` : null
      const identity: Identity = {
        id: newId(),
        accountId,
        createdAt: n,
        updatedAt: count - n,
        name: `n${(n * 7) % count}`,
        displayName: `d${n}`,
        group,
        tags: [],
        email: null,
        emailVerified: false,
        hasPassword: false,
        lastLoginAt: null,
        activated: n % 3 > 0,
      }
      return { ...identity, groupId: group === null ? '' : (groups[n % 10] ?? ''), passwordHash: null }
    })
    await insertRows(tx, identityRows(rows))
    await tx.run('update identities set last_login_at = created_at + 1 where activated = 1')
  })
  await analyze(db, 'identities', 'identity_groups')
}

const sets: [claim: string, visible: IdentitySet['visible']][] = [
  ['of all identities', null],
  [
    'of the identities that a token sees',
    [
      { allow: false, ids: null, groups: ['group-0'] },
      { allow: true, ids: null, groups: null },
    ],
  ],
]

for (const [claim, visible] of sets) {
  test(`a page ${claim} by cursor reads only as far as it shows, in every order`, async (t) => {
    const { db: real } = await testDatabase(t)
    await populate(real)
    const set = { accountId, visible, filters: {} }
    for (const order of Object.keys(identityOrders) as IdentityOrder[]) {
      for (const direction of ['asc', 'desc'] as const) {
        const { db, rowsRead } = countRowsRead(real)
        const common = { limit: 20, order, direction, filters: '' } as const
        const first = await readIdentityPage(db, set, { ...common, after: '' })
        const next = 'next' in first ? (first.next ?? '') : ''
        t.is((await readIdentityPage(db, set, { ...common, after: next })).data.length, 20)
        atMost(t, rowsRead(), 500, `rows read for ${order} ${direction}`)
      }
    }
  })
}

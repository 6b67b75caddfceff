import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { identityRows } from '#shared/data/identities/columns.ts'
import { ensureGroup } from '#shared/data/identities/identity-groups.ts'
import { type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import { maxExamined } from '#shared/domain/limits.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const accountId = 'account'
const hidden = maxExamined + 100

/** Two identities of the group `rare`, and then more others than a call examines. @returns the ids of the two, the newer one first */
async function populate(db: Database): Promise<string[]> {
  const group = await db.transaction((tx) => ensureGroup(tx, { accountId, name: 'rare', idIfNew: newId() }))
  const rows = Array.from({ length: hidden + 2 }, (_, n) => {
    const identity: Identity = {
      id: newId(),
      accountId,
      createdAt: n,
      updatedAt: n,
      name: `n${n}`,
      displayName: `d${n}`,
      group: n < 2 ? 'rare' : null,
      tags: [],
      email: null,
      emailVerified: false,
      hasPassword: false,
      lastLoginAt: null,
      activated: true,
    }
    return { ...identity, groupId: n < 2 ? group.id : '', passwordHash: null }
  })
  for (let start = 0; start < rows.length; start += 2_000) {
    await db.transaction((tx) => insertRows(tx, identityRows(rows.slice(start, start + 2_000))))
  }
  return [rows[1]?.id ?? '', rows[0]?.id ?? '']
}

const sealing = {
  seal: (text: string) => `sealed ${text}`,
  open(sealed: string) {
    if (!sealed.startsWith('sealed ')) throw new Error('It is not sealed.')
    return sealed.slice('sealed '.length)
  },
}

test('a caller who sees few of many identities gets short pages with sealed cursors, which say nothing of the others', async (t) => {
  const { db } = await testDatabase(t)
  const visibleIds = await populate(db)
  const visible = [{ allow: true, ids: null, groups: ['rare'] }]
  const common = { limit: 20, order: 'createdAt', direction: 'desc', filters: '', sealing } as const
  const all: IdentitySet = { accountId, visible, filters: {} }
  for (const filters of [{}, { activated: true }]) {
    const set = { ...all, filters }
    const first = await readIdentityPage(db, set, { ...common, after: '' })
    t.deepEqual(Object.keys(first), ['limit', 'next', 'data'])
    t.deepEqual(first.data, [])
    const after = 'next' in first ? (first.next ?? '') : ''
    t.regex(Buffer.from(after, 'base64url').toString(), /^sealed /)
    const rest = await readIdentityPage(db, set, { ...common, after })
    t.like(rest, { next: null })
    t.deepEqual(
      rest.data.map(({ identity }) => identity.id),
      visibleIds,
    )
    const { sealing: _, ...plain } = common
    await t.throwsAsync(readIdentityPage(db, set, { ...plain, after }), { name: 'VALIDATION_FAILED' })
    const read = await readIdentityPage(db, set, { ...plain, after: '' })
    t.deepEqual(read.data, rest.data, 'what cannot be sealed is read to the end')
  }
  t.like(await readIdentityPage(db, all, { ...common, page: 1 }), { total: 2 }, 'without filters a total is exact')
  const filtered = { ...all, filters: { activated: true } }
  const error = await t.throwsAsync(readIdentityPage(db, filtered, { ...common, page: 1 }))
  t.like(error, { details: { parameter: 'activated', examined: maxExamined } })
})

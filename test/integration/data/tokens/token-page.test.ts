import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import type { Direction } from '#shared/data/pages/page.ts'
import type { TokenOrder } from '#shared/data/tokens/columns.ts'
import { readTokenPage, type TokenSet } from '#shared/data/tokens/token-page.ts'
import { createToken } from '#shared/data/tokens/tokens.ts'
import { matcher } from '#shared/domain/fields/filters.ts'
import { readTextFilter } from '#shared/domain/text/filter.ts'
import { tokenFields } from '#shared/domain/token/fields.ts'
import { testDatabase } from '../../../support/databases/database.ts'

/** In the order of their ids. Two descriptions are equal up to a length at which a database might stop comparing. */
const tokens = [
  { id: 'a', name: 'Äpfel', description: '\u{1f34e}', expiresAt: 3, tags: ['red'] },
  { id: 'b', name: 'zebra', description: '\uff5e', tags: ['red', 'sweet'] },
  { id: 'c', name: 'Zebra ', description: `${'\u{1f34e}'.repeat(256)}b`, expiresAt: 2 },
  { id: 'd', name: 'STRASSE', description: `${'\u{1f34e}'.repeat(256)}a`, tags: ['sweet'] },
  { id: 'e', name: 'straße', description: `${'\u{1f34e}'.repeat(255)}z`, activated: false },
]

async function filled(t: ExecutionContext): Promise<Database> {
  const { db } = await testDatabase(t)
  for (const [n, token] of tokens.entries()) {
    await createToken(db, { accountId: 'a', permissions: [], now: Math.min(n, 3), ...token })
  }
  await createToken(db, { id: 'x', accountId: 'b', name: 'Äpfel', permissions: [], now: 1 })
  return db
}

const allById = { limit: 100, order: 'createdAt', direction: 'asc', filters: '{}', page: 1 } as const

type Asked = { order?: TokenOrder; direction?: Direction; filters?: TokenSet['filters'] }

/** All tokens by cursor, one on each page, and by number. */
async function ids(db: Database, { order = 'createdAt', direction = 'asc', filters = {} }: Asked): Promise<string[]> {
  const set = { accountId: 'a', filters }
  const request = { limit: 1, order, direction, filters: JSON.stringify(filters) }
  const walked: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const found = await readTokenPage(db, set, { ...request, after })
    walked.push(...found.data.map(({ id }) => id))
    after = 'next' in found ? found.next : null
  }
  const { data, ...page } = await readTokenPage(db, set, { ...request, limit: 100, page: 1 })
  return [walked.join(''), data.map(({ id }) => id).join(''), String('total' in page && page.total)]
}

const listings: [asked: Asked, expected: string][] = [
  [{ direction: 'desc' }, 'edcba'],
  [{ order: 'name' }, 'debca'],
  [{ order: 'name', direction: 'desc' }, 'acbed'],
  [{ order: 'description' }, 'baecd'],
  [{ order: 'expiresAt' }, 'cabde'],
  [{ order: 'expiresAt', direction: 'desc' }, 'acedb'],
  [{ order: 'activated' }, 'eabcd'],
  [{ order: 'lastUsedAt' }, 'abcde'],
  [{ filters: { name: { kind: 'equals', text: 'zebra' } } }, 'b'],
  [{ filters: { name: { kind: 'contains', text: 'ss' }, activated: true } }, 'd'],
  [{ filters: { description: { kind: 'contains', text: '\u{1f34e}a' } } }, 'd'],
  [{ filters: { tagged: [['red'], ['sweet', 'sour']] } }, 'b'],
  [{ filters: { activated: false } }, 'e'],
]

test('pages of tokens are the same on every database, by number and by cursor', async (t) => {
  const db = await filled(t)
  for (const [asked, expected] of listings) {
    t.deepEqual(await ids(db, asked), [expected, expected, String(expected.length)], JSON.stringify(asked))
  }
})

test('a filter in memory matches the same tokens as in the database', async (t) => {
  const db = await filled(t)
  const { data } = await readTokenPage(db, { accountId: 'a', filters: {} }, allById)
  const texts = ['strasse', 'eq:STRASSE', 'starts:z', 'in:zebra,äPFEL', 'Ä', '\u{1f34e}a', 'eq:', 'ss%', '_']
  const filters: TokenSet['filters'][] = [
    ...texts.flatMap((text) => [{ name: readTextFilter(text) }, { description: readTextFilter(text) }]),
    { activated: true },
    { activated: false },
    { activated: true, name: readTextFilter('a') },
    { tagged: [['red']] },
    { tagged: [['red', 'sour'], ['sweet']] },
    { tagged: [] },
    { tagged: [['RED']] },
  ]
  for (const set of filters) {
    const inMemory = data.filter(matcher(tokenFields, set)).map(({ id }) => id)
    t.deepEqual((await ids(db, { filters: set }))[1], inMemory.join(''), JSON.stringify(set))
  }
})

test('tokens without keys, as an earlier version creates them, come first and are found by no text', async (t) => {
  const db = await filled(t)
  await db.run("update tokens set name_key = null, description_key = null where id = 'c'")
  t.is((await ids(db, { order: 'name' }))[0], 'cdeba')
  t.is((await ids(db, { order: 'description' }))[0], 'cbaed')
  t.is((await ids(db, { filters: { name: { kind: 'contains', text: 'zebra' } } }))[0], 'b')
})

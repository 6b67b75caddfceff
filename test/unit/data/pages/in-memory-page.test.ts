import test from 'ava'
import { pageOf } from '#shared/data/pages/in-memory-page.ts'
import type { CursorPage, OrderKey, PageRequest } from '#shared/data/pages/page.ts'

type Row = { id: string; key: OrderKey }
const ids = (page: { data: Row[] }) => page.data.map(({ id }) => id).join('')

type ByKey = PageRequest & { order: 'key' }
const request = (over: Partial<PageRequest> = {}): ByKey =>
  ({ limit: 20, order: 'key', direction: 'asc', filters: '{}', page: 1, ...over }) as ByKey

const rows: Row[] = [
  { id: 'c', key: 2 },
  { id: 'a', key: 1 },
  { id: 'e', key: null },
  { id: 'b', key: 2 },
  { id: 'd', key: null },
]

test('equal keys are ordered by id in the same direction, rows without a key come last in both', (t) => {
  t.is(ids(pageOf(rows, request())), 'abcde')
  t.is(ids(pageOf(rows, request({ direction: 'desc' }))), 'cbaed')
})

test('text is ordered by code points, ignoring case, booleans false before true', (t) => {
  const texts = ['B', 'a', '\u{10000}', '\uff5e', ''].map((key) => ({ id: key, key }))
  t.deepEqual(
    pageOf(texts, request()).data.map(({ key }) => key),
    ['', 'a', 'B', '\uff5e', '\u{10000}'],
  )
  t.is(
    ids(
      pageOf(
        [
          { id: 't', key: true },
          { id: 'f', key: false },
        ],
        request(),
      ),
    ),
    'ft',
  )
})

test('a numbered page has the total and may be empty', (t) => {
  const second = pageOf(rows, request({ page: 2, limit: 2 } as Partial<PageRequest>))
  t.deepEqual(second, {
    page: 2,
    limit: 2,
    total: 5,
    data: [
      { id: 'c', key: 2 },
      { id: 'd', key: null },
    ],
  })
  t.deepEqual(pageOf(rows, request({ page: 9 } as Partial<PageRequest>)), {
    page: 9,
    limit: 20,
    total: 5,
    data: [],
  })
})

function walk(all: () => Row[], over: Partial<PageRequest>): string[] {
  const pages: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { page: _page, ...cursor } = request(over) as ByKey & { page: number }
    const found = pageOf(all(), { ...cursor, after }) as CursorPage<Row>
    pages.push(ids(found))
    after = found.next
  }
  return pages
}

test('cursors visit every row once, in both directions', (t) => {
  t.deepEqual(
    walk(() => rows, { limit: 2 }),
    ['ab', 'cd', 'e'],
  )
  t.deepEqual(
    walk(() => rows, { limit: 2, direction: 'desc' }),
    ['cb', 'ae', 'd'],
  )
  t.deepEqual(
    walk(() => rows, { limit: 5 }),
    ['abcde'],
  )
  t.deepEqual(
    walk(() => [], {}),
    [''],
  )
})

test('pages by cursor show each remaining row exactly once, whatever is added or removed', (t) => {
  let turn = 0
  const changing = () => {
    turn++
    const come = Array.from({ length: turn }, (_, n) => ({ id: `0${n}`, key: 0 }))
    return [...come, ...rows.filter(({ id }) => turn === 1 || id !== 'a')]
  }
  t.is(walk(changing, { limit: 2, direction: 'desc' }).join('').replaceAll(/0\d/g, ''), 'cbaed'.replace('a', ''))
})

test('a cursor of another order, direction or filter is rejected, and so is any other text', (t) => {
  const { page: _page, ...cursor } = request({ limit: 1 }) as ByKey & { page: number }
  const { next } = pageOf(rows, { ...cursor, after: '' }) as CursorPage<Row>
  const after = next ?? ''
  t.is(ids(pageOf(rows, { ...cursor, after })), 'b')
  const wrong: Partial<PageRequest>[] = [
    { order: 'other' },
    { direction: 'desc' },
    { filters: '{"activated":true}' },
    { after: 'x' } as Partial<PageRequest>,
    { after: Buffer.from('[1,2,3]').toString('base64url') } as Partial<PageRequest>,
    { after: Buffer.from('{}').toString('base64url') } as Partial<PageRequest>,
  ]
  for (const over of wrong) {
    const error = t.throws(() => pageOf(rows, { ...cursor, after, ...over } as ByKey))
    t.like(error, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'after' }] } })
  }
})

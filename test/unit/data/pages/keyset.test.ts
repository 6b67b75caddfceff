import test from 'ava'
import { endPage, filteredTotal, isBeyond, isNumberKey, partOf, toPage } from '#shared/data/pages/keyset.ts'
import type { PageRequest } from '#shared/data/pages/page.ts'

const listing = { limit: 2, order: 'createdAt', direction: 'asc', filters: '' } as const
const first: PageRequest = { ...listing, after: '' }
const numbered: PageRequest = { ...listing, page: 3 }

type Row = { key: number; id: string }
const rows = [1, 2, 3].map((key) => ({ key, id: `id-${key}` }))
const position = (row: Row) => row

test('a page by cursor reads one row more than it shows, which shows whether another page follows', (t) => {
  t.deepEqual(partOf(first), { direction: 'asc', from: null, limit: 3, offset: 0 })
  t.deepEqual(endPage(first, rows.slice(0, 2), { position }), { rows: rows.slice(0, 2), next: null })
  const { rows: shown, next } = endPage(first, rows, { position })
  t.deepEqual(shown, rows.slice(0, 2))
  t.deepEqual(partOf({ ...listing, after: next ?? '' }, isNumberKey).from, { key: 2, id: 'id-2' })
})

test('a page by number reads only its own rows, and has no cursor', (t) => {
  t.deepEqual(partOf(numbered), { direction: 'asc', from: null, limit: 2, offset: 4 })
  t.is(endPage(numbered, rows.slice(0, 2), { position }).next, null)
})

test('a page by cursor ends before the row that would exceed its bytes, but has at least one row', (t) => {
  const bytes = () => 5_000_000
  const { rows: shown, next } = endPage(first, rows.slice(0, 2), { position, bytes })
  t.deepEqual(shown, rows.slice(0, 1))
  t.is(partOf({ ...listing, after: next ?? '' }).from?.id, 'id-1')
  t.is(endPage(first, rows, { position, bytes: () => 50_000_000 }).rows.length, 1)
  t.throws(() => endPage(numbered, rows.slice(0, 2), { position, bytes }), { name: 'VALIDATION_FAILED' })
})

test('a cursor whose key is not of the type of the order is rejected', (t) => {
  const next = endPage(first, rows, { position: ({ id }: Row) => ({ key: 'text', id }) }).next ?? ''
  t.throws(() => partOf({ ...listing, after: next }, isNumberKey), { name: 'VALIDATION_FAILED' })
})

test('a page by cursor that ends early continues after the last examined row', (t) => {
  const examinedTo = { key: 9, id: 'id-9' }
  const { rows: shown, next } = endPage(first, rows.slice(0, 1), { position, examinedTo })
  t.deepEqual(shown, rows.slice(0, 1))
  t.deepEqual(partOf({ ...listing, after: next ?? '' }).from, examinedTo)
  t.deepEqual(toPage(first, { data: [], next, examined: 20_000 }, null), { limit: 2, next, examined: 20_000, data: [] })
})

test('a sealed cursor reveals nothing, and is valid only where it is opened', (t) => {
  const seal = (text: string) => Array.from(text).reverse().join('')
  const sealed: PageRequest = { ...first, sealing: { seal, open: seal } }
  const { next } = endPage(sealed, rows, { position })
  t.notRegex(Buffer.from(next ?? '', 'base64url').toString(), /id-2/)
  t.is(partOf({ ...sealed, after: next ?? '' }).from?.id, 'id-2')
  t.throws(() => partOf({ ...listing, after: next ?? '' }), { name: 'VALIDATION_FAILED' })
  const plain = endPage(first, rows, { position }).next ?? ''
  t.throws(() => partOf({ ...sealed, after: plain }), { name: 'VALIDATION_FAILED' })
})

test('there are no rows beyond an exact total, and there may be rows beyond an inexact one', (t) => {
  const part = partOf(numbered)
  t.true(isBeyond(part, { total: 4 }))
  t.false(isBeyond(part, { total: 5 }))
  t.false(isBeyond(part, { total: 4, totalIsAtLeast: true }))
  t.false(isBeyond(part, null))
})

test('a page by number has its total, a page by cursor the next cursor', (t) => {
  const found = { data: ['a'], next: null }
  t.deepEqual(toPage(numbered, found, { total: 5 }), { page: 3, limit: 2, total: 5, data: ['a'] })
  t.deepEqual(toPage(first, { ...found, next: 'x' }, null), { limit: 2, next: 'x', data: ['a'] })
})

test('a filtered total is exact to 10,000', (t) => {
  t.deepEqual(filteredTotal(10_000), { total: 10_000 })
  t.deepEqual(filteredTotal(10_001), { total: 10_000, totalIsAtLeast: true })
})

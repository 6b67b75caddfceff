import test from 'ava'
import type { IndexBody } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { itemWords } from '#shared/domain/search/item-words.ts'

const index = (pointer: string, body: IndexBody = {}) =>
  newIndex({ pathName: 'x', pointer, searching: true, ...body }, { id: 'x', accountId: '', listId: '', at: 0 })

function words(indexes: Parameters<typeof itemWords>[0], data: unknown): string {
  const { frequencies, length } = itemWords(indexes, data)
  return `${length}: ${[...frequencies].map(([word, n]) => (n === 1 ? word : `${word}×${n}`)).join(' ')}`
}

test('the words of all searched indexes are one text', (t) => {
  const data = { title: 'Tomato soup', body: 'Hot soup.', secret: 'x' }
  t.is(words([index('/title'), index('/body')], data), '4: tomato soup×2 hot')
  t.is(words([index('/title'), index('/title')], data), '4: tomato×2 soup×2')
  t.is(words([], data), '0: ')
})

test('values that are not searched have no words: no flag, deactivated, or guarded', (t) => {
  for (const body of [{ searching: false }, { activated: false }, { guard: true }])
    t.is(words([index('/a', body)], { a: 'soup' }), '0: ')
})

test('values have words if they have the type of the index', (t) => {
  const cases: readonly (readonly [IndexBody, unknown, string])[] = [
    [{}, 'Soup', '1: soup'],
    [{}, '', '0: '],
    [{}, 7, '0: '],
    [{}, null, '0: '],
    [{}, true, '0: '],
    [{}, { a: 'soup' }, '0: '],
    [{}, ['soup', 7, null, 'stew', ['deep']], '2: soup stew'],
    [{ valueType: 'number' }, 7, '1: 7'],
    [{ valueType: 'number' }, [7, 1.5], '3: 7 1 5'],
    [{ valueType: 'number' }, '7', '0: '],
    [{ valueType: 'date' }, '2026-03-01', '3: 2026 03 01'],
    [{ valueType: 'date' }, 'soon', '0: '],
  ]
  for (const [body, a, expected] of cases) t.is(words([index('/a', body)], { a }), expected, JSON.stringify([body, a]))
  t.is(words([index('/a')], {}), '0: ')
  t.is(words([index('')], 'Soup'), '1: soup')
})

test('the first 1,024 characters of a value count, an array being one value', (t) => {
  t.is(itemWords([index('/a')], { a: 'word '.repeat(100_000) }).length, 205)
  t.is(itemWords([index('/a')], { a: Array(100_000).fill('word') }).length, 205)
  t.is(itemWords([index('/a')], { a: '寿'.repeat(2_000) }).length, 1_024)
  t.is(itemWords([index('/a')], { a: '𠮷'.repeat(2_000) }).length, 1_024)
})

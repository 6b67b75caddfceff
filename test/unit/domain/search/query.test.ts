import test from 'ava'
import { readQuery } from '#shared/domain/search/query.ts'

const good: readonly (readonly [query: string, words: string[]])[] = [
  ['soup', ['soup']],
  ['Crème brûlée', ['creme', 'brulee']],
  ['soup soup SOUP', ['soup']],
  ['a-b', ['a', 'b']],
  ['one two three four five', ['one', 'two', 'three', 'four', 'five']],
  ['宫保鸡丁', ['宫', '保', '鸡', '丁']],
  ['寿司 sushi', ['寿', '司', 'sushi']],
  ['a'.repeat(100), ['a'.repeat(100)]],
  [`${'𐐨'.repeat(100)}`, ['𐐨'.repeat(100)]],
  ['寿'.repeat(20), ['寿']],
  ['寿司', ['寿', '司']],
  ['すし', ['す', 'し']],
  ['ﾊﾟﾝ', ['パ', 'ン']],
  ['ｽｼ', ['ス', 'シ']],
  ['김치', ['김치']],
  ['a寿', ['a', '寿']],
  ['soup  ', ['soup']],
  ['  soup\u3000', ['soup']],
  [`${'a'.repeat(100)} `, ['a'.repeat(100)]],
]

for (const [query, words] of good)
  test(`the query ${JSON.stringify(query)} has words`, (t) => t.deepEqual(readQuery(query), { words }))

const bad: readonly (readonly [query: string, error: RegExp])[] = [
  ['', /at least 3 characters/],
  ['ab', /at least 3 characters/],
  ['𐐨𐐨', /at least 3 characters/],
  ['ab ', /at least 3 characters/],
  ['寿', /or 2 with Han, kana or Hangul/],
  ['寿 ', /at least 3 characters/],
  ['กข', /at least 3 characters/],
  ['a'.repeat(101), /at most 100 characters/],
  ['a'.repeat(10_000), /at most 100 characters/],
  ['!!!', /a word of letters or digits/],
  ['🍕🍕🍕', /a word of letters or digits/],
  ['   ', /at least 3 characters/],
  ['one two three four five six', /at most 5 words, and has 6/],
  ['寿'.repeat(21), /at most 20 characters in a row/],
]

for (const [query, error] of bad) {
  test(`the query ${JSON.stringify(query.slice(0, 30))} of ${query.length} is none`, (t) => {
    const read = readQuery(query)
    t.regex('error' in read ? read.error : '', error)
  })
}

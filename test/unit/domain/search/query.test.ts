import test from 'ava'
import { hasTerms, readQuery, type SearchOptions, searchTerms } from '#shared/domain/search/query.ts'

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
  test(`the query ${JSON.stringify(query)} has words`, (t) => {
    const read = readQuery(query)
    t.deepEqual('typed' in read && searchTerms(read.typed, {}), { words, beginning: null, match: 'any' })
  })

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
  test(`the query ${JSON.stringify(query.slice(0, 30))} of ${query.length} is rejected`, (t) => {
    const read = readQuery(query)
    t.regex('error' in read ? read.error : '', error)
  })
}

const meant: [typed: string[], options: SearchOptions, terms: object][] = [
  [['soup'], {}, { words: ['soup'], beginning: null, match: 'any' }],
  [['tomato', 'sou'], { prefix: true }, { words: ['tomato'], beginning: 'sou', match: 'any' }],
  [['sou'], { prefix: true, match: 'all' }, { words: [], beginning: 'sou', match: 'all' }],
  [['sou', 'sou'], { prefix: true }, { words: ['sou'], beginning: 'sou', match: 'any' }],
  [['sou', 'pie', 'sou'], { prefix: false, match: 'all' }, { words: ['sou', 'pie'], beginning: null, match: 'all' }],
]

test('with prefix only the last word is a prefix, and the others are whole words', (t) => {
  for (const [typed, options, terms] of meant) t.deepEqual(searchTerms(typed, options), terms as never)
})

const texts: [typed: string[], options: SearchOptions, found: string[]][] = [
  [['tomato', 'soup'], {}, ['tomato soup', 'soup', 'tomato pie']],
  [['tomato', 'soup'], { match: 'all' }, ['tomato soup']],
  [['so'], { prefix: true }, ['tomato soup', 'soup', 'sour cream']],
  [['to', 'so'], { prefix: true, match: 'all' }, []],
  [['tomato', 'so'], { prefix: true, match: 'all' }, ['tomato soup']],
  [['cream', 'pi'], { prefix: true }, ['tomato pie', 'sour cream']],
]

test('a text matches one of the words, or with all every word, including the prefix', (t) => {
  for (const [typed, options, found] of texts) {
    const has = (text: string) =>
      hasTerms(new Map(text.split(' ').map((word) => [word, 1])), searchTerms(typed, options))
    t.deepEqual(['tomato soup', 'soup', 'tomato pie', 'sour cream'].filter(has), found, typed.join(' '))
  }
})

import test from 'ava'
import { foldTags, readTagFilter, sameTags, tagErrors } from '#shared/domain/tags.ts'

test('a tag is 1 to 50 letters, digits, hyphens or underscores', (t) => {
  t.deepEqual(tagErrors(['a', 'Z-9_', 'x'.repeat(50)], 'tags'), [])
  const bad = ['', 'x'.repeat(51), 'two words', 'ümlaut', 'a\n', 7, null, ['a']]
  t.deepEqual(
    tagErrors(bad, 'tags').map(({ path }) => path),
    bad.map((_, position) => `tags.${position}`),
  )
})

test('a resource has at most 20 tags, counted as they are sent', (t) => {
  t.deepEqual(tagErrors(Array(20).fill('a'), 'tags'), [])
  t.deepEqual(
    tagErrors(Array(21).fill('a'), 'tags').map(({ path }) => path),
    ['tags'],
  )
})

test('every error is listed, not only the first', (t) => {
  t.is(tagErrors([...Array(20).fill('a'), '!', '?'], 'tags').length, 3)
})

test('anything that is not an array is one error', (t) => {
  for (const value of ['a', null, {}, 3]) t.deepEqual(tagErrors(value, 'lists.a.tags').length, 1)
})

test('tags are stored in lower case, each once, in the order of their first mention', (t) => {
  t.deepEqual(foldTags(['B', 'a', 'b', 'A', 'c']), ['b', 'a', 'c'])
})

test('the order of tags does not matter', (t) => {
  t.true(sameTags(['a', 'b'], ['b', 'a']))
  t.true(sameTags([], []))
  t.false(sameTags(['a'], ['a', 'b']))
  t.false(sameTags(['a', 'b'], ['a', 'c']))
})

test('a filter has tags separated by commas, in their stored form, and nothing that cannot be a tag', (t) => {
  t.deepEqual(readTagFilter('Red, sweet,,RED'), ['red', 'sweet'])
  t.deepEqual(readTagFilter(' ,'), [])
  for (const source of ['eq:a', 'in:a,b', 'starts:a', 'not:a', 'a b', 'a,é', 'x'.repeat(51)]) {
    t.regex(Object(readTagFilter(source)).error, /1 to 50 letters, digits, hyphens or underscores/, source)
  }
  const many = (count: number) => Array.from({ length: count }, (_, n) => `t${n}`).join()
  t.is(Object(readTagFilter(many(20))).length, 20)
  t.regex(Object(readTagFilter(many(21))).error, /at most 20 tags/)
})

import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import { canSearch, hasWords, namedView } from '#services/dashboard/pages/items/view/named.ts'

const index = (more: Partial<Index>) => ({ activated: true, buildStatus: 'ready', ...more }) as Index
const alias = index({ alias: true })
const words = index({ searching: true })

test('a search text may be the alias or the id of an item', (t) => {
  t.deepEqual(namedView([alias], ' Best-Soup ')?.filters, [{ field: 'alias', operator: 'is', value: 'Best-Soup' }])
  const id = '01234567-89ab-7def-8123-456789abcdef'
  for (const text of [id, id.toUpperCase()])
    t.deepEqual(namedView([], text)?.filters, [{ field: 'id', operator: 'is', value: id }])
})

test('without a ready alias index only ids name items', (t) => {
  t.is(namedView([words], 'soup'), null)
  t.is(namedView([{ ...alias, buildStatus: 'building' }], 'soup'), null)
})

test('a text without words, or with more than a search accepts, is not a search for words', (t) => {
  t.true(canSearch([alias, words]))
  t.true(hasWords([words], 'soup of the day'))
  for (const text of ['7', '***', 'a-very-long-slug-of-seven-words']) t.false(hasWords([words], text))
  t.false(hasWords([alias], 'soup'))
})

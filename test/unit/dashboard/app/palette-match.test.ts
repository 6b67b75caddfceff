import test from 'ava'
import { matching } from '#services/dashboard/app/palette-match.ts'

const entries = [
  { label: 'Lists', more: 'go' },
  { label: 'Create a list from JSON', more: 'do' },
  { label: 'Recipes', more: 'recipes-2' },
]
const found = (text: string) => matching(entries, text).map(({ label }) => label)

test('all words must occur, in any order and case', (t) => {
  t.deepEqual(found('JSON create'), ['Create a list from JSON'])
  t.deepEqual(found('make soup'), [])
  t.deepEqual(found('recipes-2'), ['Recipes'])
})

test('names that begin with the text come first', (t) => {
  t.deepEqual(found('list'), ['Lists', 'Create a list from JSON'])
  t.deepEqual(found('m'), ['Create a list from JSON'])
})

test('an empty text finds everything, in its original order', (t) => t.is(found('').length, 3))

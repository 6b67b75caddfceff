import test from 'ava'
import { formatOptions } from '#services/dashboard/pages/schema/document/format-options.ts'
import { syncDocumentFormat } from '#shared/domain/sync/document/format.ts'

const at = (...steps: string[]) => formatOptions(syncDocumentFormat, steps)
const names = (...steps: string[]) => at(...steps).keys.map(([name]) => name)

test('the format of a document lists its keys, at every level', (t) => {
  t.deepEqual(names(), ['$schema', 'scope', 'lists'])
  t.true(names('lists', 'recipes').includes('schema'))
  t.true(names('lists', 'recipes', 'indexes', 'slug').includes('pointer'))
  t.true(at('lists', 'recipes').keys.every(([, about]) => about !== ''))
})

test('it lists the values of flags and of choices', (t) => {
  t.deepEqual(at('lists', 'recipes', 'readonly').values, [true, false])
  t.true(at('lists', 'recipes', 'indexes', 'slug', 'valueType').values.includes('number'))
})

test('where it lists nothing, nothing is offered', (t) => {
  t.deepEqual(at('lists'), { keys: [], values: [] })
  t.deepEqual(at('constructor', 'x'), { keys: [], values: [] })
  t.deepEqual(formatOptions(null, ['a']), { keys: [], values: [] })
})

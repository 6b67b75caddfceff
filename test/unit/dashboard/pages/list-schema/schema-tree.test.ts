import test from 'ava'
import { treeOf } from '#services/dashboard/pages/list-schema/schema-tree.ts'

test('a tree has properties in the order of the text, even those with numbers as names', (t) => {
  const tree = treeOf(
    '{ "required": ["b"], "properties": { "b": { "type": "string" }, "10": {}, "2": { "type": ["null", "number"] } } }',
  )
  t.deepEqual(
    tree?.properties.map(({ name, types, isRequired, pointer }) => [name, types, isRequired, pointer]),
    [
      ['b', ['string'], true, '/properties/b'],
      ['10', [], false, '/properties/10'],
      ['2', ['null', 'number'], false, '/properties/2'],
    ],
  )
})

test('elements and nested properties are in the tree, and pointers name the places of their schemas', (t) => {
  const tree = treeOf('{"properties":{"a/b":{"type":"array","items":{"properties":{"c":true}}}}}')
  const [property] = tree?.properties ?? []
  t.is(property?.elements?.pointer, '/properties/a~1b/items')
  t.is(property?.elements?.properties[0]?.pointer, '/properties/a~1b/items/properties/c')
  t.deepEqual(property?.elements?.properties[0]?.notes, ['anything'])
})

test('other keywords are notes with the beginning of their values', (t) => {
  const tree = treeOf(`{"x-owner":{"deep":1e400},"format":"email","enum":[${'"value",'.repeat(20)}"end"],"items":[{}]}`)
  t.deepEqual(tree?.notes, [
    'x-owner {"deep":1e400}',
    'format email',
    'enum ["value","value","value","value","value","value"…',
    'items [{}]',
  ])
})

test('a schema that is not an object has no tree', (t) => {
  for (const text of ['true', '[]', '"x"', '3']) t.is(treeOf(text), null)
})

test('of thousands of properties the first ones are shown, and the number of the others', (t) => {
  const properties = Array.from({ length: 5_000 }, (_, n) => [`p${n}`, {}])
  const tree = treeOf(JSON.stringify({ properties: Object.fromEntries(properties) }))
  t.is((tree?.properties.length ?? 0) + (tree?.hidden ?? 0), 5_000)
  t.is(tree?.properties.length, 399)
})

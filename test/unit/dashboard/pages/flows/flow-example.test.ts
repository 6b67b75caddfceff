import test from 'ava'
import { exampleDocument, isOtherFlow } from '#services/dashboard/pages/flows/flow-example.ts'

test('the tests of the example belong to it as long as it has its path or one of its nodes', (t) => {
  t.false(isOtherFlow(exampleDocument))
  t.false(isOtherFlow(exampleDocument.replace('"quote"', '"price"')))
  t.false(isOtherFlow(exampleDocument.replaceAll(/stock|total|answer/g, 'other')))
  t.true(isOtherFlow(exampleDocument.replace('"quote"', '"price"').replaceAll(/stock|total|answer/g, 'other')))
})

test('a text that is being typed does not count as another flow', (t) => {
  for (const text of ['', '{"entry": {"path": "x"}, "nodes": [', '{"entry": {"path": "x"}, "nodes": []}', '[]', 'null'])
    t.false(isOtherFlow(text), text)
})

import test from 'ava'
import { JsonTree } from '#shared/json/text/tree.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

/** The value of a node, rebuilt from the tree. */
function rebuilt(tree: JsonTree, node: number): unknown {
  const children = [...tree.childrenOf(node)]
  switch (tree.firstOf(node)) {
    case '{':
      return Object.fromEntries(children.map((child) => [tree.keyOf(child), rebuilt(tree, child)]))
    case '[':
      return tree.elementsOf(node).map((child) => rebuilt(tree, child))
    case '"':
      return tree.stringOf(node)
    default:
      return JSON.parse(tree.textOf(node))
  }
}

test('a tree has every value of a text, in order', (t) => {
  const random = seeded(9_535)
  for (let round = 0; round < 400; round++) {
    const { compact: text } = randomJson(random)
    const tree = new JsonTree(text)
    t.deepEqual(rebuilt(tree, 0), JSON.parse(text), text)
    t.is(tree.textOf(0), text)
  }
})

test('brackets, quotes and commas in texts and keys are not structure', (t) => {
  const text = '{"a,\\"]":["}",{"{":[[],{}]},"\\\\"],"b":-1.5e+3}'
  t.deepEqual(rebuilt(new JsonTree(text), 0), JSON.parse(text))
})

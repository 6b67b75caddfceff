import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { namesValue } from '#shared/domain/flow/language/named-values.ts'
import { inARow } from '../../../../support/flows/documents.ts'
import { flowOf } from '../../../../support/flows/driving.ts'

type Parts = { node?: object; helpers?: string }

function isNamed({ node = {}, helpers }: Parts, name = 'identity'): boolean {
  const nodes = [{ id: 'a', type: 'respond', ...node }]
  return namesValue(flowOf({ nodes, edges: inARow(nodes), ...(helpers !== undefined && { helpers }) }), name)
}

test('a name is found in every place for expressions, with any characters before it', (t) => {
  const list = 'cards'
  const nodes = [
    { body: '1 +\nidentity' },
    { body: '\tidentity?.id' },
    { body: '{a: [map([1], x => [x, identity])]}' },
    { headers: { 'x-a': 'identity.name' } },
    { type: 'require', when: 'identity != null', message: 'No.' },
    {
      type: 'switch',
      cases: [
        { when: 'true', port: 'b' },
        { when: 'identity == null', port: 'b' },
      ],
    },
    { type: 'list-items', list, where: { a: 'identity.id' } },
    { type: 'create-item', list, data: '1', owner: 'identity.id' },
    { type: 'create-item', list, data: '1', tags: 'identity.tags' },
    { type: 'delete-item', list, item: 'item', each: 'identity.tags' },
    { type: 'emit', webhooks: [newId()], payload: 'identity' },
  ]
  for (const node of nodes) {
    const text = JSON.stringify(node)
    const edges = 'cases' in node ? { edges: [['a', 'b', 'b']] } : { edges: [] }
    const more = 'cases' in node ? [{ id: 'b', type: 'respond' }] : []
    const flow = flowOf({ nodes: [{ id: 'a', type: 'respond', ...node }, ...more], ...edges })
    t.true(namesValue(flow, 'identity'), text)
    t.false(namesValue(flow, 'token'), text)
  }
  t.true(isNamed({ helpers: 'let who = identity;' }))
  t.true(isNamed({ helpers: 'function f(a) = [a,\n\tidentity];' }))
})

test('a text that only contains the same letters is not the name', (t) => {
  t.false(isNamed({ node: { body: '["identity", input.identity, {identity: 1}] // identity' } }))
  t.false(isNamed({ node: { body: 'map([1], identity => identity)' } }))
  t.true(isNamed({ node: { body: '[map([1], identity => identity), identity]' } }))
})

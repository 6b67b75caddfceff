import { Ajv } from 'ajv'
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import test from 'ava'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { flowDocumentExample, flowDocumentFormat } from '#shared/domain/flow/language/format.ts'
import { nodeProperties, nodeTypes, type Properties, type Property } from '#shared/domain/flow/language/properties.ts'
import { matchesFixture } from '../../../../support/assertions/fixture.ts'
import { documentOf } from '../../../../support/flows/documents.ts'
import { testId } from '../../../../support/flows/driving.ts'
import { mutatedDocument } from '../../../../support/flows/mutated-document.ts'
import { seeded } from '../../../../support/load/random-json.ts'

const matches = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(flowDocumentFormat)

const isRead = (document: unknown) => readFlow(JSON.stringify(document)).flow !== null

test('the format for editors is itself valid draft-07, and matches the committed one', async (t) => {
  t.true(new Ajv().validate(draft07.$id, flowDocumentFormat))
  await matchesFixture(t, 'flow-document.json', `${JSON.stringify(flowDocumentFormat, null, 2)}\n`)
})

test('the example is a flow, and matches the format', (t) => {
  t.deepEqual(readFlow(JSON.stringify(flowDocumentExample)).diagnostics, [])
  t.true(matches(flowDocumentExample), JSON.stringify(matches.errors))
})

/** For each kind a valid value, and invalid values. */
const values: Record<Property['kind'], { right: unknown; wrong: readonly unknown[] }> = {
  expression: { right: '[]', wrong: [1, null, [], 'x'.repeat(4_097)] },
  conditions: { right: { a: '1' }, wrong: ['1', [], { a: 1 }] },
  headers: { right: { 'x-a': '"1"' }, wrong: ['1', { 'x-a': 1 }, { 'set-cookie': '"1"' }] },
  cases: {
    right: [{ when: 'true', port: 'p' }],
    wrong: [{}, [], [{}], [{ when: 'true', port: 'p', to: 'q' }], [{ when: 'true', port: '1' }]],
  },
  tags: { right: ['a'], wrong: [1, ['a b'], {}] },
  text: { right: 'cards', wrong: ['', 1, null] },
  integer: { right: 401, wrong: ['1', 1.5, -1, 1_000, null] },
  flag: { right: true, wrong: ['true', 1, null] },
  choice: { right: 'asc', wrong: ['up', 1, null] },
  ids: { right: [testId(1)], wrong: [testId(1), [], [1], [''], ['w1']] },
  object: { right: {}, wrong: [[], 1, null] },
  any: { right: 1, wrong: [] },
}

/** A document with one node of the type, which has all its required properties. */
function documentWith(type: (typeof nodeTypes)[number], changes: Record<string, unknown>): Record<string, unknown> {
  const table: Properties = nodeProperties[type]
  const required = Object.entries(table).filter(([, row]) => row.required)
  const node = { id: 'it', type, ...Object.fromEntries(required.map(([name, { kind }]) => [name, values[kind].right])) }
  const whole =
    type === 'update-item' && !['merge', 'patch', 'data'].some((name) => name in changes) ? { data: '1' } : {}
  const nodes = [
    { ...node, ...whole, ...changes },
    { id: 'end', type: 'respond' },
  ]
  const port = { condition: ['true'], switch: ['default'] }[type as string] ?? []
  return documentOf({
    nodes,
    edges: type === 'respond' ? [] : [['it', 'end', ...port]],
    ...(type === 'respond' && { nodes: nodes.slice(0, 1) }),
  })
}

for (const type of nodeTypes) {
  test(`the checker and the format agree on each property of ${type}`, (t) => {
    t.true(isRead(documentWith(type, {})) && matches(documentWith(type, {})))
    const unknown = documentWith(type, { nothing: 1 })
    t.false(isRead(unknown) || matches(unknown))
    for (const [name, row] of Object.entries(nodeProperties[type] as Properties)) {
      const right = type === 'list-items' && name === 'limit' ? 5 : values[row.kind].right
      const good = documentWith(type, { [name]: right })
      t.true(isRead(good) && matches(good), name)
      for (const value of values[row.kind].wrong) {
        const bad = documentWith(type, { [name]: value })
        t.false(isRead(bad) || matches(bad), `${name}: ${JSON.stringify(value).slice(0, 40)}`)
      }
      const without = documentWith(type, { [name]: undefined })
      if (row.required) t.false(isRead(without) || matches(JSON.parse(JSON.stringify(without))), name)
    }
  })
}

test('every document that is read as a flow matches the format', (t) => {
  const random = seeded(Number(process.env.TEST_SEED ?? 11))
  let read = 0
  for (let round = 0; round < 5_000; round++) {
    const text = mutatedDocument(random)
    if (readFlow(text).flow === null) continue
    read++
    t.true(matches(JSON.parse(text)), text)
  }
  t.true(read > 20, `${read}`)
})

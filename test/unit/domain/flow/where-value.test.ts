import test from 'ava'
import { diagnosticsOf } from '../../../support/flows/diagnostics.ts'
import { inARow } from '../../../support/flows/documents.ts'
import { outcomeText, run } from '../../../support/flows/driving.ts'

/** The conditions with which a node with this `where` requests a page of items. */
function askedBy(where: Record<string, unknown>, input: unknown = null): string {
  const nodes = [{ id: 'p', type: 'list-items', list: 'cards', where }]
  const result = run({ nodes, edges: inARow(nodes) }, { input: JSON.stringify(input) })
  const [asked] = result.asked
  return asked?.ask === 'items' ? String(asked.where) : outcomeText(result)
}

test('the value of an expression is a literal, whatever it begins with', (t) => {
  for (const text of ['open', 'not:open', 'eq:open', 'in:a,b', 'starts:', '', 'null', 'gt:5']) {
    t.is(askedBy({ state: 'input' }, text), JSON.stringify({ state: `eq:${text}` }))
    t.is(
      askedBy({ or: '[{state: input}, {not: {alias: input}}]' }, text),
      JSON.stringify({ or: [{ state: `eq:${text}` }, { not: { alias: `eq:${text}` } }] }),
    )
  }
  t.is(askedBy({ n: 'input', activated: 'false', state: 'null' }, 5), '{"n":5,"activated":false,"state":null}')
  t.is(askedBy({ state: 'input' }, ['a', 'not:b']), '{"state":["eq:a","eq:not:b"]}')
  t.is(askedBy({ search: 'input' }, 'not:soup'), '{"search":" not:soup"}')
  const search = { search: 'input', prefix: 'true', match: '"all"' }
  t.is(askedBy(search, 'soup'), '{"search":" soup","prefix":true,"match":"all"}')
  t.is(askedBy({ tagged: 'input' }, 'new'), '{"tagged":"new"}')
  for (const where of [{ tagged: 'input' }, { identityId: 'input' }])
    t.regex(askedBy(where, 'a,b'), /^422 EXPRESSION_ERROR p .* must be one value/)
  for (const tag of ['not:new', 'null', 'in:a']) t.regex(askedBy({ tagged: 'input' }, tag), /must be one value/, tag)
})

test('a filter is only what the document writes as a filter, and no input can become one', (t) => {
  t.is(askedBy({ state: { filter: 'input' } }, 'not:open'), '{"state":"not:open"}')
  t.is(askedBy({ n: { filter: '"gte:" + text(input)' } }, 5), '{"n":"gte:5"}')
  t.is(askedBy({ or: '[{n: {filter: "gt:5"}}, {state: input}]' }, 'x'), '{"or":[{"n":"gt:5"},{"state":"eq:x"}]}')
  t.is(askedBy({ or: 'map(input, w => {title: {filter: "starts:" + w}})' }, ['a']), '{"or":[{"title":"starts:a"}]}')
  t.is(askedBy({ n: '[{filter: "gte:2"}, {filter: "lt:5"}]' }), '{"n":["gte:2","lt:5"]}')
  t.is(askedBy({ or: { filter: 'input' } }, [{ n: 'gt:5' }]), '{"or":[{"n":"gt:5"}]}')
  const smuggled = { filter: 'not:open' }
  t.regex(
    askedBy({ state: 'input' }, smuggled),
    /^422 EXPRESSION_ERROR p nodes\.0\.where\.state:1:1: where\.state must be/,
  )
  t.regex(askedBy({ state: '[input]' }, smuggled), /where\.state\.0 must be/)
  t.regex(askedBy({ or: 'input' }, [{ state: smuggled }]), /where\.or\.0\.state must be/)
  t.regex(askedBy({ not: 'input' }, 'x'), /where\.not must be an object of conditions, not a text/)
  t.regex(askedBy({ and: 'input' }, { state: 'x' }), /where\.and must be a list of objects/)
})

test('half of a surrogate pair is rejected in a condition, as it is where JSON is stored', (t) => {
  t.regex(askedBy({ state: "'\\ud83d'" }), /^422 EXPRESSION_ERROR .* half of a surrogate pair/)
})

const inPage = (where: Record<string, unknown>) => {
  const nodes = [
    { id: 'p', type: 'list-items', list: 'cards', where },
    { id: 'end', type: 'respond', body: 'steps.p' },
  ]
  return diagnosticsOf({ nodes, edges: inARow(nodes) })
}

test('a text that begins like a filter has a warning, and a filter that is written as one does not', (t) => {
  const warning = (key: string, prefix: string) =>
    `(warning) FILTER nodes.0.where.${key}: is compared as plain text; write a filter that begins with ${prefix} as {"filter": …}`
  t.deepEqual(inPage({ state: "'eq:' + input.state" }), [warning('state', 'eq:')])
  t.deepEqual(inPage({ n: '"gte:" + text(1) + ""' }), [warning('n', 'gte:')])
  t.deepEqual(inPage({ or: '[{a: 1}, {not: {b: "not:x"}}]' }), [warning('or', 'not:')])
  t.deepEqual(
    inPage({ state: { filter: "'eq:' + input.state" }, or: '[{b: {filter: "not:x"}}]', m: '"open: now"' }),
    [],
  )
  t.deepEqual(inPage({ state: { filter: 1 } }), [
    'WRONG_TYPE nodes.0.where.state.filter: must be a string with an expression',
  ])
  t.deepEqual(inPage({ state: { filters: '1' } }).length, 2)
})

test('an option of a search has a warning if there is no search, in groups too', (t) => {
  const alone = 'requires "search"'
  const warning = (key: string, message: string) => `(warning) FILTER nodes.0.where.${key}: ${message}`
  t.deepEqual(inPage({ state: '1', prefix: 'true', match: "'all'" }), [
    warning('prefix', alone),
    warning('match', alone),
  ])
  t.deepEqual(inPage({ or: "[{search: 'a', prefix: true}, {state: 1, not: {match: 'all'}}]" }), [
    warning('or', `has the condition "match", which ${alone}`),
  ])
  t.deepEqual(inPage({ search: "'a'", prefix: 'true', match: "'all'" }), [])
  t.deepEqual(inPage({ or: '[{...input.words, prefix: true}]', and: 'input.all' }), [])
})

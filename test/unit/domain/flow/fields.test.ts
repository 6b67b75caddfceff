import test from 'ava'
import { endpointOf, fieldsOfDocument } from '#shared/domain/flow/fields.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'

const nodes = '[{ "id": "answer", "type": "respond" }]'

function fieldsOf(entry: string, more = '') {
  const { flow, diagnostics } = readFlow(
    `{ "version": 1, "name": "Greet", "entry": ${entry}, "nodes": ${nodes} ${more}}`,
  )
  if (!flow) throw new Error(JSON.stringify(diagnostics))
  return fieldsOfDocument(flow)
}

test('the fields of a document are returned with the defaults of its entry', (t) => {
  const fields = fieldsOf('{ "type": "endpoint", "path": "cards" }')
  t.is(fields.entry, '{"type":"endpoint","method":"POST","path":"cards","input":null,"public":false}')
  t.deepEqual({ ...fields, entry: '' }, { name: 'Greet', description: '', entry: '', public: false, lists: [] })
  t.like(endpointOf(fields), { method: 'POST', path: 'cards' })
})

test('the schema of the input is returned as it was sent', (t) => {
  const { entry, public: isPublic } = fieldsOf(
    '{ "type": "endpoint", "path": "a", "method": "GET", "public": true, "input": {"maximum":9007199254740993} }',
  )
  t.true(entry.includes('"input":{"maximum":9007199254740993}'))
  t.true(isPublic)
})

test('anything that is not an endpoint is not called', (t) => {
  t.is(endpointOf({ entry: '{"type":"schedule","cron":"* * * * *"}' }), null)
})

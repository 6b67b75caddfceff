import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import { stringify } from '#client/src/json.ts'
import { documentOf, rejectedIn } from '#services/dashboard/pages/new-list/list-draft.ts'

const draft = { name: 'Recipes', pathName: 'recipes', description: '', schema: null, indexes: [] }

test('a draft is a sync document, with its schema as it was typed', (t) => {
  const indexes = [{ pathName: 'slug', fields: { pointer: '/slug', alias: true }, reason: '' }]
  t.is(
    stringify(documentOf({ ...draft, schema: '{"multipleOf": 1.0}', indexes })),
    '{"lists":{"recipes":{"name":"Recipes","schema":{"multipleOf": 1.0},"indexes":{"slug":{"pointer":"/slug","alias":true}}}}}',
  )
  t.is(stringify(documentOf({ ...draft, name: '' })), '{"lists":{"recipes":{"name":"recipes"}}}')
})

const rejected = (errors: { path: string; message: string }[]) => {
  const details = { errors: errors.map((error) => ({ ...error, msg: error.message })) }
  return new ListdError({ name: 'VALIDATION_FAILED', message: '', status: 400, details })
}

test('an error of the server is reported at its field', (t) => {
  const errors = [
    { path: 'lists.recipes.name', message: '"lists.recipes.name" is too long' },
    { path: 'lists.recipes.schema.properties.a.type', message: 'must be equal to one of the allowed values' },
    { path: 'lists.recipes.indexes.slug.pointer', message: 'must be a JSON Pointer' },
    { path: 'lists', message: 'has too many' },
  ]
  t.deepEqual(rejectedIn(rejected(errors), 'recipes'), {
    name: 'is too long',
    schema: [{ path: 'properties.a.type', message: 'must be equal to one of the allowed values' }],
    indexes: { slug: 'must be a JSON Pointer' },
    others: ['lists: has too many'],
  })
})

test('an error of a plan is reported at its list or index', (t) => {
  const changes = [
    { list: 'recipes', errors: [{ message: 'is managed by another scope' }] },
    { list: 'recipes', index: 'slug', errors: [{ message: 'is the second alias' }] },
  ]
  const error = new ListdError({ name: 'SCHEMA_SYNC_PLAN_HAS_ERRORS', message: '', status: 422, body: { changes } })
  t.like(rejectedIn(error, 'recipes'), {
    pathName: 'is managed by another scope',
    indexes: { slug: 'is the second alias' },
  })
})

test('an error without fields does not belong to the draft', (t) => {
  t.is(rejectedIn(new ListdError({ name: 'CONNECTION_FAILED', message: '' }), 'recipes'), null)
})

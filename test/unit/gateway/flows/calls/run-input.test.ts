import test from 'ava'
import { inputError } from '#services/gateway/resources/flows/calls/run-input.ts'
import { createSchemaValidator, type SchemaValidator } from '#services/gateway/validation/schema-validator.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'

const schemas = createSchemaValidator({ run: () => Promise.reject(new Error('Light schemas need no thread.')) })

function entryOf(input: object | null) {
  const entry = { type: 'endpoint', path: 'greet', ...(input && { input }) }
  const nodes = [{ id: 'answer', type: 'respond' }]
  const { flow } = readFlow(JSON.stringify({ version: 1, name: 'greet', entry, nodes }))
  if (!flow) throw new TypeError('The document is invalid.')
  return flow.entry
}

test('the schema of an entry is compiled once for all runs, and again for another entry or gateway', async (t) => {
  const compiled: string[] = []
  const counting = (): Pick<SchemaValidator, 'validator'> => ({
    validator(accountId, schema) {
      compiled.push(schema)
      return schemas.validator(accountId, schema)
    },
  })
  const [one, other] = [counting(), counting()]
  const entry = entryOf({ required: ['name'] })
  for (const text of ['{"name":1}', '{}', '{"name":2}']) await inputError(one, 'account', { entry, text })
  t.is(compiled.length, 1)
  await inputError(other, 'account', { entry, text: '{}' })
  await inputError(other, 'account', { entry: entryOf({ required: ['age'] }), text: '{}' })
  t.deepEqual(compiled.slice(1), ['{"required":["name"]}', '{"required":["age"]}'])
})

test('an input that does not match its schema is rejected with its errors; without a schema any input is accepted', async (t) => {
  const entry = entryOf({ required: ['name'], properties: { name: { type: 'string' } } })
  t.is(await inputError(schemas, 'account', { entry, text: '{"name":"Ada"}' }), null)
  const error = await inputError(schemas, 'account', { entry, text: '{"name":1}' })
  const [message, given] = ['must be string', 'must be given']
  t.like(error, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'name', message, msg: message }] } })
  const missing = await inputError(schemas, 'account', { entry, text: '{}' })
  t.like(missing, {
    message: 'name must be given',
    details: { errors: [{ path: 'name', message: given, msg: given }] },
  })
  t.is(await inputError(schemas, 'account', { entry: entryOf(null), text: '[]' }), null)
})

import type { IncomingMessage } from 'node:http'
import test from 'ava'
import Joi from 'joi'
import { createBodyReader } from '#services/gateway/http/input/json-body.ts'
import { createItemBody, updateItemBody } from '#services/gateway/resources/items/schemas.ts'
import type { Config } from '#shared/config/load.ts'
import { atOnce } from '#shared/time/time-slices.ts'

const req = { headers: { 'content-type': 'application/json' } } as IncomingMessage

/** A reader of bodies by a schema, which also returns whether it called the schema. */
function readerOf(schema: Joi.ObjectSchema) {
  let asked = 0
  const counted = schema.custom((value) => {
    asked++
    return value
  })
  const { parse } = createBodyReader({} as Config, { maxBytes: 1_000, schema: counted, text: ['data'] })
  return (body: object) => {
    asked = 0
    const bytes = Buffer.from(JSON.stringify(body))
    const parsed = atOnce(parse({ length: bytes.length, chunks: [bytes] }, req))
    return { value: parsed.value, errors: parsed.errors.map(({ path }) => path), isValidated: asked > 0 }
  }
}

test('an item with only data is not validated by the schema of the body, when it is created or updated', (t) => {
  for (const schema of [createItemBody, updateItemBody]) {
    const read = readerOf(schema)
    for (const data of [null, 1, 'text', [], { title: 'x' }]) {
      t.deepEqual(read({ data }), { value: { data }, errors: [], isValidated: false })
    }
    t.true(read({ data: 1, tags: ['a'] }).isValidated)
    t.deepEqual(read({ data: 1, tags: 'a' }).errors, ['tags'])
    t.deepEqual(read({ dat: 1 }).errors, ['dat'])
  }
})

test('data is validated if the schema restricts it, or the properties next to it', (t) => {
  const schemas = {
    'a rule': Joi.object({ data: Joi.any().invalid(1) }),
    'a type': Joi.object({ data: Joi.number() }),
    'a companion': Joi.object({ data: Joi.any(), tags: Joi.any() }).with('data', 'tags'),
    'another that is required': Joi.object({ data: Joi.any(), tags: Joi.array().required() }),
    'another with a default': Joi.object({ data: Joi.any(), tags: Joi.array().default([]) }),
  }
  for (const [what, schema] of Object.entries(schemas)) {
    const { isValidated, errors } = readerOf(schema)({ data: 1 })
    t.true(isValidated || errors.length > 0, what)
  }
})

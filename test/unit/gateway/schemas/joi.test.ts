import { Ajv2020 } from 'ajv/dist/2020.js'
import test from 'ava'
import type Joi from 'joi'
import { loginBody, registerBody } from '#services/gateway/resources/identities/schemas.ts'
import { routes } from '#services/gateway/resources/index.ts'
import { createItemBody } from '#services/gateway/resources/items/schemas.ts'
import { createListBody, updateListBody } from '#services/gateway/resources/lists/schemas.ts'
import { createTokenBody, updateTokenBody } from '#services/gateway/resources/tokens/schemas.ts'
import { updateSelfBody } from '#services/gateway/resources/users/schemas.ts'
import { createWebhookBody } from '#services/gateway/resources/webhooks/schemas.ts'
import { newPasswordSchema, tagsSchema, textSchema } from '#services/gateway/schemas/body-schemas.ts'
import { printSchema } from '#services/gateway/schemas/joi.ts'
import { pageQuerySchema, taggedSchema, textFilterSchema } from '#services/gateway/schemas/page-schemas.ts'
import { queryDate } from '#services/gateway/schemas/query-schemas.ts'

const ajv = new Ajv2020({ strict: false })

const schemas = routes.flatMap(({ method, path, body, query }) => [
  ...(body && 'schema' in body ? [{ name: `the body of ${method} ${path}`, schema: body.schema }] : []),
  ...(query ? [{ name: `the query of ${method} ${path}`, schema: query }] : []),
])

for (const { name, schema } of schemas) {
  test(`${name} is printed, with the bounds of every rule`, (t) => {
    const printed = printSchema(schema)
    t.is(printed.type, 'object')
    t.notThrows(() => ajv.compile({ ...printed, $id: name.replaceAll(/[^a-z]/gi, '-') }))
    t.false(
      JSON.stringify(schema.describe()).includes('"name":"custom"'),
      'joi prints nothing of custom(): use check()',
    )
  })
}

const id = '0190f5fe-7c00-7a00-8000-000000000001'
const url = 'https://receiver.example/hook'
const token = { name: 'ci', permissions: [{ mode: 'allow', action: 'view' }] }
const identity = { name: 'ana', password: 'correct horse' }

/** Values that the Joi schema and its printed JSON Schema both accept, and values that both reject. */
const agreed: Record<string, { schema: Joi.Schema; valid: unknown[]; invalid: unknown[] }> = {
  text: { schema: textSchema(3), valid: ['', 'abc', '😀😀😀'], invalid: ['abcd', 'a\u0000', 1] },
  'nullable text': { schema: textSchema(3).allow(null), valid: [null, 'abc'], invalid: ['abcd', 1] },
  tags: { schema: tagsSchema(), valid: [[], ['A-b_1']], invalid: [['a b'], [''], Array(21).fill('a'), 'a'] },
  password: { schema: newPasswordSchema(), valid: ['12345678'], invalid: ['1234567', 'a'.repeat(257)] },
  'a new list': {
    schema: createListBody,
    valid: [{ name: 'a' }, { pathName: 'a' }, { name: 'a', pathName: 'a', generativePrompt: null }],
    invalid: [{}, { name: '' }, { pathName: 'ä' }, { pathName: 'a'.repeat(201) }, { name: 'a', other: 1 }],
  },
  'a change of a list': { schema: updateListBody, valid: [{ pinned: true }], invalid: [{}, { pinned: 'true' }] },
  'an item': {
    schema: createItemBody,
    valid: [{}, { version: '1.0.10' }],
    invalid: [{ version: '1.0' }, { version: '' }],
  },
  'a webhook': {
    schema: createWebhookBody,
    valid: [{ url, events: ['item.created'], listIds: [id] }],
    invalid: [{ url, events: [], listIds: ['recipes'] }, { url, events: ['item.moved'] }, { url }],
  },
  'a registration': {
    schema: registerBody,
    valid: [identity, { ...identity, group: 'cooks', email: 'ana@listd.example' }],
    invalid: [
      { ...identity, name: 'a/b' },
      { ...identity, email: 'ana' },
      { ...identity, group: ' cooks' },
    ],
  },
  'a login': {
    schema: loginBody,
    valid: [identity, { email: 'ana', password: '' }],
    invalid: [{ password: 'a' }, { ...identity, email: 'ana@listd.example' }],
  },
  'a new API token': {
    schema: createTokenBody,
    valid: [token, { ...token, ips: ['192.0.2.0/24'], expiresAt: null, tags: ['a'] }],
    invalid: [{ name: 'ci' }, { ...token, name: '' }, { ...token, locked: true }, { ...token, expiresAt: 1 }],
  },
  'a change of an API token': { schema: updateTokenBody, valid: [{ ips: null }], invalid: [{}, { value: 'x' }] },
  "a change of one's own account": {
    schema: updateSelfBody,
    valid: [{ displayName: null }, { email: 'ana@listd.example', currentPassword: '' }],
    invalid: [{}, { currentPassword: 'correct horse' }, { displayName: 'ana', lastLoginAt: null }],
  },
  'a filter on text': { schema: textFilterSchema(), valid: ['', 'in:a,b'], invalid: ['a'.repeat(10_001)] },
  tagged: { schema: taggedSchema(), valid: ['a,b', ['a', 'b']], invalid: [Array(21).fill('a')] },
  'a date': { schema: queryDate(), valid: ['2026', '2026-03-01T10:00:00Z'], invalid: ['', '2'.repeat(101)] },
  'a page': {
    schema: pageQuerySchema({ orders: ['createdAt'], filters: {} }),
    valid: [{}, { limit: 100, direction: 'asc', after: '' }],
    invalid: [{ limit: 101 }, { page: 0 }, { order: 'size' }],
  },
}

for (const [name, { schema, valid, invalid }] of Object.entries(agreed)) {
  test(`${name} is accepted and rejected as its printed schema says`, (t) => {
    const validate = ajv.compile(printSchema(schema))
    const isAccepted = (value: unknown) => schema.validate(value, { convert: name === 'tagged' }).error === undefined
    for (const value of valid) t.deepEqual([isAccepted(value), validate(value)], [true, true], JSON.stringify(value))
    for (const value of invalid)
      t.deepEqual([isAccepted(value), validate(value)], [false, false], JSON.stringify(value))
  })
}

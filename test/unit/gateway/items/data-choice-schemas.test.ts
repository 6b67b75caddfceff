import test from 'ava'
import type Joi from 'joi'
import { createQueryReader } from '#services/gateway/http/input/query.ts'
import {
  listDataQuery,
  listItemsQuery,
  readDataQuery,
  readItemQuery,
} from '#services/gateway/resources/items/schemas.ts'

const many = (count: number) => Array.from({ length: count }, (_, n) => `/f${n}`).join(',')

const rejected: [parameter: 'fields' | 'path', value: unknown, why: string][] = [
  ['path', '', 'is not allowed to be empty'],
  ['path', '$.', 'is not a JSONPath: a name or * is expected (character 3)'],
  ['path', 'title', 'is not a JSONPath: it must begin with $ (character 1)'],
  ['path', '/title', 'is not a JSONPath: it must begin with $ (character 1)'],
  ['path', '$.\ud83d', 'is not a JSONPath'],
  ['path', "$['\\ud83d']", 'is not a JSONPath: unknown escape sequence'],
  ['path', '$[?lenght(@)>1]', 'there is no function lenght'],
  ['path', `$${'(('.repeat(50)}`, 'is not a JSONPath'],
  ['path', `$[?${'('.repeat(500)}`, 'nests more than 100 levels deep'],
  ['path', `$.${'x'.repeat(1_023)}`, 'length must be less than or equal to 1024 characters long'],
  ['path', `$..${'x'.repeat(10_000)}`, 'length must be less than or equal to 1024 characters long'],
  ['path', ['$.a', '$.b'], 'is given more than once'],
  ['fields', '', 'is not allowed to be empty'],
  ['fields', 'title', 'must be JSON Pointers'],
  ['fields', '/title,serves', 'must be JSON Pointers'],
  ['fields', '/title,', 'must be JSON Pointers'],
  ['fields', ',', 'must be JSON Pointers'],
  ['fields', '/a~2', 'must be JSON Pointers'],
  ['fields', '$.title', 'must be JSON Pointers'],
  ['fields', many(101), 'must name at most 100 pointers'],
  ['fields', `/${'x'.repeat(1_024)}`, 'must name pointers of at most 1024 characters'],
  ['fields', `/${'x'.repeat(10_000)}`, 'length must be less than or equal to 10000 characters long'],
  ['fields', ['/a', '/b'], 'is given more than once'],
]

for (const [name, schema] of Object.entries<Joi.ObjectSchema>({
  listDataQuery,
  listItemsQuery,
  readDataQuery,
  readItemQuery,
})) {
  const read = createQueryReader(schema)
  for (const [parameter, value, why] of rejected) {
    test(`${name} rejects ${parameter} ${String(value).slice(0, 30)}, ${String(value).length}: ${why}`, (t) => {
      const [error, ...others] = read({ [parameter]: value }).errors
      t.deepEqual([error?.path, others], [parameter, []])
      t.true(error?.message.startsWith(`"${parameter}" `), error?.message)
      t.true(error?.message.includes(why), error?.message)
    })
  }

  test(`${name} accepts up to 100 fields, and names the most similar parameter`, (t) => {
    t.deepEqual(read({ fields: many(100), path: `$.${'x'.repeat(1_022)}` }).errors, [])
    t.true(
      read({ paht: '$' }).errors[0]?.message.includes('did you mean "path"'),
      read({ paht: '$' }).errors[0]?.message,
    )
  })
}

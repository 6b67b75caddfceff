import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { matchesFixture } from '../support/assertions/fixture.ts'

const document = await readFile(join(import.meta.dirname, '../fixtures/openapi.json'), 'utf8')
const types = astToString(await openapiTS(JSON.parse(document)))

test('the committed types are those that openapi-typescript generates from the committed description', async (t) => {
  await matchesFixture(t, 'openapi.d.ts', `${COMMENT_HEADER}${types}`)
})

test('no type accepts more than the properties that it names, and no object is without properties', (t) => {
  // Only members, without top-level types such as `export type webhooks`, which the API does not have.
  const members = types.split('\n').filter((line) => line.startsWith(' '))
  const having = (text: string) => members.filter((line) => line.includes(text))
  t.deepEqual(having('| unknown'), [], 'say the choice with requireOne() of services/gateway/schemas/joi.ts')
  t.deepEqual(having('Record<string, never>'), [], 'say anyObject of shared/domain/fields/json-schema.ts')
})

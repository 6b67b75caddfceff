import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript'
import { matchesFixture } from '../support/assertions/fixture.ts'

const document = join(import.meta.dirname, '../fixtures/openapi.json')

test('the committed types are what openapi-typescript makes of the committed description', async (t) => {
  const types = await openapiTS(JSON.parse(await readFile(document, 'utf8')))
  await matchesFixture(t, 'openapi.d.ts', `${COMMENT_HEADER}${astToString(types)}`)
})

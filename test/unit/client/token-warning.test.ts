import test from 'ava'
import { createClient } from '#client/src/client.ts'
import { warnOfTokenThatMayDoEverything } from '#client/src/token-warning.ts'
import type { OwnApiToken } from '#client/src/types/resources.ts'
import type { PermissionRule } from '#client/src/types/rules.ts'
import { until } from '../../support/assertions/until.ts'
import { scriptedServer } from '../../support/http/scripted-server.ts'

const warnings: string[] = []
console.warn = (text: string) => warnings.push(text)

const ownToken = async (permissions: PermissionRule[]) => ({ token: { name: 'shop', permissions } }) as OwnApiToken

test.serial('a page warns of a token that may do everything', async (t) => {
  await warnOfTokenThatMayDoEverything(ownToken([{ mode: 'allow', action: '*' }]))
  t.regex(warnings.splice(0).join('\n'), /^listd: .*everything with the API token "shop"/)
})

test.serial('it does not warn of other tokens, or of one that cannot be read', async (t) => {
  await warnOfTokenThatMayDoEverything(
    ownToken([
      { mode: 'block', action: '*' },
      { mode: 'allow', action: '*', resourceType: 'item' },
      { mode: 'allow', action: 'view' },
    ]),
  )
  await warnOfTokenThatMayDoEverything(Promise.reject(new Error('away')))
  t.deepEqual(warnings, [])
})

test.serial('in a page a client checks its token once, even if other clients are created from it', async (t) => {
  const { url, requests } = await scriptedServer(t, { body: JSON.stringify(await ownToken([])) })
  Object.assign(globalThis, { document: {} })
  t.teardown(() => Reflect.deleteProperty(globalThis, 'document'))
  const client = createClient({ url, token: 'secret' })
  await client.with({ timeoutMs: 10_000 }).lists.get('notes')
  const paths = () => requests.map(({ path }) => path).sort()
  await until(() => requests.length === 2 || paths(), { what: 'the check of the token' })
  t.deepEqual(paths(), ['/lists/notes', '/tokens/self'])
})

test.serial('a server does not check its token', async (t) => {
  const { url, requests } = await scriptedServer(t)
  await createClient({ url, token: 'secret' }).lists.get('notes')
  t.deepEqual(
    requests.map(({ path }) => path),
    ['/lists/notes'],
  )
})

import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { allowEverything } from '#shared/domain/access/permission-rule.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { call, callRaw, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { head, parse } from '../../../support/http/held-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  account = await makeAccount(gateway.deps.db)
})

const name = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`

for (const route of routes.filter(({ permission }) => permission !== 'public')) {
  const path = route.path.replace(/\{\w+\*?\}/g, newId)
  const ask = (headers: Record<string, string>): Promise<Reply> =>
    call(gateway.port, { method: route.method, path, headers })

  test(`${name(route)} without credentials is 401, whatever else is wrong`, async (t) => {
    const reply = await ask({})
    t.like(reply, { status: 401, json: { name: 'USER_NOT_AUTHENTICATED', code: 11_002 } })
    t.regex(reply.text, /"Credentials are missing: send an API token as x-api-token, or /)
  })

  if (route.permission === 'user' || route.permission === 'user or nobody') {
    test(`${name(route)} with an API token that allows everything is 403`, async (t) => {
      const reply = await ask(await account.token())
      t.like(reply, { status: 403, json: { name: 'USER_MODE_REQUIRED', code: 11_001 } })
    })
  }
  if (typeof route.permission !== 'string' && route.method !== 'GET') {
    test(`${name(route)} with a token that no rule allows is 403 before its body is sent`, async (t) => {
      const identity = route.identity === 'unverified' ? ['x-identity-token: ended'] : []
      const { 'x-api-token': value } = await account.token([{ mode: 'allow', action: 'view', resourceType: 'stats' }])
      const headers = [`x-api-token: ${value}`, ...identity, 'content-length: 1000', 'connection: close']
      const { status, body } = parse(await callRaw(gateway.port, head(`${route.method} ${path}`, ...headers)))
      t.is(status, 403)
      t.like(body, { name: 'TOKEN_NOT_AUTHORIZED' })
      t.truthy(body.details)
    })
  }
}

const anybodyCalls = /^\/identities\/(register|login|logout|password-reset|email-verification)/
const short = routes.filter(({ path, permission }) => permission === 'public' || anybodyCalls.test(path))
for (const route of short.filter(({ method }) => method === 'POST')) {
  test(`${name(route)} accepts at most 16 KiB`, async (t) => {
    const { 'x-api-token': value } = await account.token([...allowEverything])
    const headers = [`x-api-token: ${value}`, 'x-identity-token: ended', 'content-length: 16385', 'connection: close']
    const { status, body } = parse(await callRaw(gateway.port, head(`POST ${route.path}`, ...headers)))
    t.is(status, 413)
    t.like(body, { name: 'PAYLOAD_TOO_LARGE' })
  })
}

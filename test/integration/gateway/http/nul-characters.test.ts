import test from 'ava'
import type { Route } from '#services/gateway/request/route.ts'
import { apiRoutes } from '#services/gateway/resources/index.ts'
import { type Credentials, makeAccount } from '../../../support/http/callers.ts'
import { call } from '../../../support/http/client.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const after = afterAll()

let port = 0
let byToken: Credentials = {}
let user: Credentials = {}
let itemId = ''

test.before(async () => {
  const { gateway } = await startSigningIn(after)
  const account = await makeAccount(gateway.deps.db)
  port = gateway.port
  user = account.user
  byToken = await account.token()
  const indexes = { title: { pointer: '/title', filtering: true, alias: true } }
  await call(port, { method: 'POST', path: '/sync-schema', headers: byToken, body: { lists: { notes: { indexes } } } })
  const item = { method: 'POST', path: '/lists/notes/items', headers: byToken, body: { data: { title: 'Soup' } } }
  itemId = String((await call(port, item)).json?.id)
})

/** Texts with U+0000. Postgres cannot store it and rejects a statement that has it, so no such text may reach the database. */
const nul = ['%00', 'a%00b', 'eq:%00', 'in:a,%00', '[%22%00%22]']

test.serial('U+0000 in a path is a resource that does not exist', async (t) => {
  for (const route of apiRoutes) {
    for (const path of pathsWithNul(route)) {
      const { status, text } = await ask(route, path)
      t.true(status < 500, `${route.method} ${path}: ${status} ${text}`)
    }
  }
})

test.serial('U+0000 in a query is validated like any other text', async (t) => {
  for (const route of apiRoutes.filter(({ method }) => method === 'GET')) {
    for (const key of queryKeys(route)) {
      for (const value of nul) {
        const path = `${pathOf(route)}?${key}=${value}`
        const { status, text } = await ask(route, path)
        t.true(status < 500, `${route.method} ${path}: ${status} ${text}`)
      }
    }
  }
})

const bodyKeys = ({ body }: Pick<(typeof apiRoutes)[number], 'body'>) =>
  Object.keys(body && 'schema' in body ? (body.schema.describe().keys ?? {}) : {})

test.serial('U+0000 in a text of a body is rejected or stored, and nothing fails', async (t) => {
  for (const route of apiRoutes.filter(({ path, body }) => body !== undefined && !path.endsWith('/logout'))) {
    for (const key of bodyKeys(route)) {
      for (const value of ['a\u0000b', ['a\u0000b'], { 'a\u0000b': 'a\u0000b' }]) {
        const { status, text } = await ask(route, pathOf(route), { ...required(route), [key]: value })
        t.true(status < 500, `${route.method} ${route.path} ${key}: ${status} ${text}`)
      }
    }
  }
})

test.serial('no identity has a name with U+0000, so a login with one fails', async (t) => {
  for (const who of [{ name: 'a\u0000b' }, { email: 'a\u0000b@c' }, { name: 'a', group: 'a\u0000b' }]) {
    const body = { ...who, password: 'correct horse battery' }
    const { status } = await call(port, { method: 'POST', path: '/identities/login', headers: byToken, body })
    t.true(status === 400 || status === 401, String(status))
  }
})

function ask({ method, permission }: Route<never>, path: string, body?: unknown) {
  const headers = permission === 'user' ? user : byToken
  return call(port, { method, path, headers, ...(body !== undefined && { body }) })
}

function pathsWithNul({ path }: Route<never>): string[] {
  const names = [...path.matchAll(/\{(\w+)[*?]?\}/g)].map(([, name]) => name ?? '')
  return names.flatMap((bad) =>
    ['%00', 'a%00b'].map((value) => path.replace(/\{(\w+)[*?]?\}/g, (_, name) => (name === bad ? value : known(name)))),
  )
}

const pathOf = ({ path }: Route<never>) => path.replace(/\{(\w+)[*?]?\}/g, (_, name) => known(name))

function known(name: string): string {
  return { list: 'notes', item: itemId }[name] ?? 'none'
}

function queryKeys({ query }: Route<never>): string[] {
  return query ? [...Object.keys(query.describe().keys ?? {}), 'index.title', 'filter.title'] : []
}

/** The members that a body needs in addition to the tested text. */
function required({ path }: Route<never>): Record<string, unknown> {
  return path.endsWith('/items') ? { data: { title: 'a' } } : {}
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type Api, type ApiAnswer, createApi } from '../support/api.ts'
import { anotherConnection } from '../support/database.ts'
import { type Listd, testListd } from '../support/listd.ts'
import { foundInDatabase } from '../support/secrets-of.ts'
import { until } from '../support/until.ts'

const password = 'canary-password-of-an-identity'
const document = { scope: 'kitchen', lists: { notes: { name: 'Notes' } } }

const register = (api: Api, body: object) => api('POST', '/identities/register', { body: { password, ...body } })
const login = (api: Api, body: object) => api('POST', '/identities/login', { body: { password, ...body } })
const summary = ({ status, json }: ApiAnswer) => (status < 400 ? `${status}` : `${status} ${json?.name}`)

/** The API as the account's token on behalf of an identity. */
async function asIdentity(listd: Listd, who: { name: string; group?: string }): Promise<Api & { token: string }> {
  const { status, text, json } = await login(listd.api, who)
  if (status !== 200) throw new Error(text)
  const group = who.group === undefined ? {} : { 'x-identity-group': who.group }
  const headers = { 'x-api-token': listd.credentials.token, 'x-identity-token': json.token, ...group }
  return Object.assign(
    createApi(() => listd.address, headers),
    { token: String(json.token) },
  )
}

test.serial('from registering to signing out: what an identity creates is its own', async (t) => {
  t.timeout(60_000)
  const listd = await testListd(t)
  t.is((await listd.api('POST', '/sync-schema', { body: document })).status, 200)
  const ada = { group: 'staff', name: 'Ada', displayName: 'Ada L.' }
  t.is(summary(await register(listd.api, ada)), '201')
  t.is(summary(await register(listd.api, { name: 'Grace' })), '201')
  t.is(summary(await register(listd.api, { group: 'staff', name: 'ADA' })), '409 IDENTITY_UNABLE_TO_CREATE')

  const asAda = await asIdentity(listd, { group: 'staff', name: 'ada' })
  const asGrace = await asIdentity(listd, { name: 'grace' })
  const self = await asAda('GET', '/identities/self')
  t.like(self.json, { name: 'Ada', displayName: 'Ada L.', group: 'staff', sessionCount: 1 })
  const made = await asAda('POST', '/lists/notes/items', { body: { data: { text: 'mine' } } })
  t.deepEqual(made.json.identity, { id: self.json.id, displayName: 'Ada L.' })
  const byNobody = await listd.api('GET', `/lists/notes/items/${made.json.id}`)
  t.deepEqual(byNobody.json.identity, made.json.identity)
  const byGrace = await asGrace('PUT', `/lists/notes/items/${made.json.id}`, { body: { tags: ['seen'] } })
  t.deepEqual(byGrace.json.identity, made.json.identity)

  t.is((await asAda('POST', '/identities/logout')).status, 204)
  t.is(summary(await asAda('GET', '/identities/self')), '401 IDENTITY_NOT_AUTHENTICATED')
  t.is(summary(await asAda('GET', `/lists/notes/items/${made.json.id}`)), '401 IDENTITY_NOT_AUTHENTICATED')
  t.is((await asAda('POST', '/identities/logout')).status, 204)
  t.is((await asGrace('GET', '/identities/self')).status, 200)
  await nothingTells(t, listd, [password, asAda.token, asGrace.token])
})

test.serial('without NATS signing in is 503 within a second, and whoever is signed in goes on', async (t) => {
  t.timeout(60_000)
  const listd = await testListd(t)
  await register(listd.api, { name: 'Ada' })
  const [asAda, again] = [await asIdentity(listd, { name: 'Ada' }), await asIdentity(listd, { name: 'Ada' })]
  // A supervisor that stands still starts nothing again.
  listd.supervisor.kill('SIGSTOP')
  listd.signal('nats-server', 'SIGKILL')
  for (const ask of [login, register]) {
    const asked = performance.now()
    t.is(summary(await ask(listd.api, { name: 'Ada' })), '503 SERVICE_UNAVAILABLE')
    t.true(performance.now() - asked < 1_000)
  }
  t.is((await asAda('GET', '/identities/self')).json.sessionCount, 2)
  t.is((await asAda('POST', '/identities/logout', { body: { all: true } })).status, 204)
  t.is((await again('GET', '/identities/self')).status, 401)

  listd.supervisor.kill('SIGCONT')
  await until(async () => (await login(listd.api, { name: 'Ada' })).status === 200, { what: 'a login worked' })
  t.pass()
})

test.serial(
  'the identity service killed while it signs in: nobody is let in wrongly, and all can sign in again',
  async (t) => {
    t.timeout(90_000)
    const listd = await testListd(t)
    await register(listd.api, { name: 'Ada' })
    const asAda = await asIdentity(listd, { name: 'Ada' })
    const attempts = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 0 ? register(listd.api, { name: `New ${n}`, group: 'new' }) : login(listd.api, { name: 'Ada' }),
    )
    listd.signal('identity', 'SIGKILL')
    t.is((await asAda('GET', '/identities/self')).status, 200)
    for (const answer of await Promise.all(attempts)) t.true([200, 201, 503, 429].includes(answer.status), answer.text)

    await until(async () => (await login(listd.api, { name: 'Ada' })).status === 200, { withinMs: 30_000 })
    // Whoever was not told of the registration can ask for it again, and finds it done wholly or not at all.
    for (const n of [0, 4, 8]) {
      const given = { name: `New ${n}`, group: 'new' }
      const { status } = await register(listd.api, given)
      t.true(status === 201 || status === 409)
      t.is((await login(listd.api, given)).status, 200)
    }
  },
)

/** No secret is in any output, file or row, except that the database keeps hashes. */
async function nothingTells(t: ExecutionContext, listd: Listd, secrets: string[]): Promise<void> {
  const names = await readdir(listd.dataDir, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(() => '')))
  for (const secret of secrets) {
    t.false(listd.output().includes(secret))
    t.deepEqual(
      files.filter((_, n) => texts[n]?.includes(secret)),
      [],
    )
  }
  t.deepEqual(await foundInDatabase(await anotherConnection(t, listd.dataDir, { readers: 1 }), secrets), [])
}

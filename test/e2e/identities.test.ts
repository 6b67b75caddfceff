import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { until } from '../support/assertions/until.ts'
import { anotherConnection } from '../support/databases/database.ts'
import { type ApiAnswer, served } from '../support/http/api.ts'
import { asIdentity, identityPassword, login, register, registerIdentity } from '../support/identity/as-identity.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { foundInDatabase } from '../support/processes/secrets-of.ts'
import { shared } from '../support/test-context/shared.ts'

const processes = shared((t) => testListd(t))
const document = { scope: 'kitchen', lists: { notes: { name: 'Notes' } } }
const summary = ({ status, json }: ApiAnswer) => (status < 400 ? `${status}` : `${status} ${json?.name}`)

test.serial('from registering to signing out: what an identity creates is its own', async (t) => {
  const listd = await processes().anotherAccount()
  t.is((await listd.api('POST', '/sync-schema', { body: document })).status, 200)
  const ada = { group: 'staff', name: 'Ada', displayName: 'Ada L.' }
  await registerIdentity(listd, ada)
  await registerIdentity(listd, { name: 'Grace' })
  const taken = await served(() => register(listd.api, { group: 'staff', name: 'ADA' }))
  t.is(summary(taken), '409 IDENTITY_UNABLE_TO_CREATE')

  const asAda = await asIdentity(listd, { group: 'staff', name: 'ada' })
  const asGrace = await asIdentity(listd, { name: 'grace' })
  const self = await asAda('GET', '/identities/self')
  t.like(self.json, { name: 'Ada', displayName: 'Ada L.', group: 'staff' })
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
  await nothingTells(t, listd, [identityPassword, asAda.token, asGrace.token])
})

test.serial(
  'the identity service killed while it signs in: nobody is let in wrongly, and all can sign in again',
  async (t) => {
    const listd = await processes().anotherAccount()
    await registerIdentity(listd, { name: 'Ada' })
    const asAda = await asIdentity(listd, { name: 'Ada' })
    const attempts = Array.from({ length: 40 }, (_, n) =>
      n % 4 === 0 ? register(listd.api, { name: `New ${n}`, group: 'new' }) : login(listd.api, { name: 'Ada' }),
    )
    listd.signal('identity', 'SIGKILL')
    t.is((await asAda('GET', '/identities/self')).status, 200)
    for (const answer of await Promise.all(attempts)) t.true([200, 201, 503, 429].includes(answer.status), answer.text)

    const signsIn = async () => (await login(listd.api, { name: 'Ada' })).status === 200
    await until(signsIn, { withinMs: 180_000, what: 'a login' })
    // Whoever was not told of the registration can ask for it again, and finds it done wholly or not at all.
    for (const n of [0, 4, 8]) {
      const given = { name: `New ${n}`, group: 'new' }
      await registerIdentity(listd, given)
      t.is((await served(() => login(listd.api, given))).status, 200)
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

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { until } from '../support/assertions/until.ts'
import { anotherConnection } from '../support/databases/database.ts'
import { served } from '../support/http/api.ts'
import { asIdentity, identityPassword, login, register, registerIdentity } from '../support/identity/as-identity.ts'
import { clientOf } from '../support/processes/clients.ts'
import { type Listd, testListd } from '../support/processes/listd.ts'
import { foundInDatabase } from '../support/processes/secrets-of.ts'
import { shared } from '../support/test-context/shared.ts'

const processes = shared((t) => testListd(t))
const document = { scope: 'kitchen', lists: { notes: { name: 'Notes' } } }

test.serial('from registering to signing out: what an identity creates is its own', async (t) => {
  const listd = await processes().anotherAccount()
  const client = clientOf(listd)
  await client.sync.apply(document)
  await registerIdentity(listd, { group: 'staff', name: 'Ada', displayName: 'Ada L.' })
  await registerIdentity(listd, { name: 'Grace' })
  const taken = await served(() => register(listd.api, { group: 'staff', name: 'ADA' }))
  t.is(`${taken.status} ${taken.json?.name}`, '409 IDENTITY_UNABLE_TO_CREATE')

  const [adasToken, gracesToken] = [
    (await asIdentity(listd, { group: 'staff', name: 'ada' })).token,
    (await asIdentity(listd, { name: 'grace' })).token,
  ]
  const ada = client.with({ identity: { token: adasToken, group: 'staff' } })
  const grace = client.with({ identity: { token: gracesToken } })
  const self = await ada.self.get()
  t.like(self, { name: 'Ada', displayName: 'Ada L.', group: 'staff' })
  const { id, identity } = await ada.list('notes').create({ data: { text: 'mine' } })
  t.deepEqual(identity, { id: self.id, displayName: 'Ada L.' })
  t.deepEqual((await client.list('notes').get(id)).identity, identity)
  t.deepEqual((await grace.list('notes').update(id, { tags: ['seen'] })).identity, identity)

  await ada.self.logout()
  await t.throwsAsync(ada.self.get(), { name: 'IDENTITY_NOT_AUTHENTICATED' })
  await t.throwsAsync(ada.list('notes').get(id), { name: 'IDENTITY_NOT_AUTHENTICATED' })
  await ada.self.logout()
  t.is((await grace.self.get()).name, 'Grace')
  await nothingTells(t, listd, [identityPassword, adasToken, gracesToken])
})

test.serial(
  'the identity service killed during logins: no one gets wrong access, and all can sign in again',
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
    // A client that got no answer can register again, because the registration is either complete or was not done at all.
    for (const n of [0, 4, 8]) {
      const given = { name: `New ${n}`, group: 'new' }
      await registerIdentity(listd, given)
      t.is((await served(() => login(listd.api, given))).status, 200)
    }
  },
)

/** Asserts that no output, file or row has a secret; the database has only hashes. */
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

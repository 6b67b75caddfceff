import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { keyIdOf } from '#shared/crypto/key-text.ts'
import { findSetting } from '#shared/data/settings/settings.ts'
import { until } from '../../support/assertions/until.ts'
import { testBackend } from '../../support/databases/database.ts'
import { createApi, served } from '../../support/http/api.ts'
import { testPassword } from '../../support/http/credentials.ts'
import { foundInDatabase, secretsOf } from '../../support/processes/secrets-of.ts'
import { addWebhook, type Scene, setScene } from '../../support/webhooks/scene.ts'

const canary = 'canary-7f3a'

test('no log line has a credential, a secret or a payload, and no file or row a credential or secret, whatever goes wrong', async (t) => {
  const env = { LISTD_LOG_LEVEL: 'trace', LISTD_WEBHOOKS_RETRY_SECONDS: '0.1,0.1,0.1,0.1,0.1,0.1,0.1' }
  const scene = await setScene(t, { env })
  const { listd, receiver, webhooks } = scene
  const failing = await addWebhook(scene, { path: '/failing', events: ['item.created', 'item.updated'] })
  receiver.reply = ({ path }) => ({ status: path === '/failing' ? 500 : 200, body: `${canary} of the receiver` })
  const secrets = [
    ...(await secretsOf(listd)),
    testPassword,
    await signInAndOut(scene),
    ...(await manageAccount(scene)),
    ...(await useIdentity(scene)),
  ]
  await useItems(scene)
  await attack(scene)
  await until(async () => receiver.requests.filter(({ path }) => path === failing.path).length >= 2, {
    withinMs: 60_000,
    what: 'a retry',
  })
  await listd.stop()

  const output = listd.output()
  t.true(output.includes('delivery.attempted') && output.includes('request.completed'))
  secrets.push(...webhooks.map(({ secret }) => secret), canary)
  for (const secret of secrets) t.truthy(secret)
  t.deepEqual(
    secrets.filter((secret) => output.includes(secret)),
    [],
  )
  // Only the database has items and the receiver's answers; NATS and all other files do not.
  const files = await filesOf(listd.dataDir)
  t.true([...files.keys()].some((name) => name.startsWith('nats/')))
  t.is(files.has('listd.db'), testBackend === 'sqlite')
  const found = [...files].flatMap(([name, text]) => {
    if (ownSecrets.has(name)) return []
    const present = secrets.filter((secret) => text.includes(secret))
    return present.filter((secret) => secret !== canary || !name.startsWith('listd.db')).map(() => name)
  })
  t.deepEqual(found, [])
  const inRows = await foundInDatabase(scene.db, secrets)
  t.deepEqual(
    [...new Set(inRows)].filter((row) => !row.endsWith(`: ${canary}`)),
    [],
  )
  t.true(inRows.includes(`items: ${canary}`))
  // A rotation of the master key reseals the values in these places, so sealed values must be in no others.
  const sealed = `v1.${keyIdOf((await findSetting(scene.db, 'secretsCheck')) ?? '')}.`
  t.deepEqual([...new Set(await foundInDatabase(scene.db, [sealed]))].sort(), [
    `settings: ${sealed}`,
    `webhooks: ${sealed}`,
  ])
})

/** Files that exist for a secret; only their owner can read them. */
const ownSecrets = new Set(['master-key', 'nats-url', 'nats-server.conf'])

/** Every file of a folder by its path in it, read as bytes. */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      paths.map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'latin1')] as [string, string]),
    ),
  )
}

/** @returns the session it was given */
async function signInAndOut({ listd: { address, user, credentials } }: Scene): Promise<string> {
  const { email } = credentials
  const anyone = createApi(() => address, {})
  const { json } = await served(() => anyone('POST', '/auth/login', { body: { email, password: testPassword } }))
  await anyone('POST', '/auth/login', { body: { email, password: `${canary} wrong password` } })
  await anyone('POST', '/auth/login', { text: `{"email":"${canary}","password":"${canary}` })
  await user('POST', '/auth/logout', { headers: { authorization: `Bearer ${json.token}` } })
  return json.token
}

/** @returns the values of the token that it created */
async function manageAccount({ listd: { user } }: Scene): Promise<string[]> {
  const created = await user('POST', '/tokens', { body: { name: 'ci', permissions: [] } })
  const rotated = await user('POST', `/tokens/${created.json.id}/rotate`)
  await user('PUT', `/tokens/${created.json.id}`, { body: { value: canary } })
  await user('PUT', '/auth/self', {
    body: { password: `${canary} new password`, currentPassword: `${canary} wrong password` },
  })
  return [created.json.value, rotated.json.value]
}

/** An identity registers, changes its password and has it reset. @returns its passwords and the tokens that it was given */
async function useIdentity({ listd: { api, user } }: Scene): Promise<string[]> {
  const [first, second, third] = ['ada-password-first', 'ada-password-second', 'ada-password-third']
  const body = { name: 'Ada', email: 'ada@example.com', password: first }
  await served(() => api('POST', '/identities/register', { body }))
  const { token } = (await served(() => api('POST', '/identities/login', { body: { name: 'Ada', password: first } })))
    .json
  const headers = { 'x-identity-token': token }
  const change = { password: second, currentPassword: first }
  await served(() => api('PUT', '/identities/self', { headers, body: change }))
  const { verificationToken } = (await user('POST', '/identities/email-verification', { body: { name: 'Ada' } })).json
  const { resetToken } = (await user('POST', '/identities/password-reset', { body: { name: 'Ada' } })).json
  const reset = { resetToken, password: third }
  await served(() => api('POST', '/identities/password-reset/confirm', { body: reset }))
  await api('POST', '/identities/email-verification/confirm', { body: { verificationToken } })
  return [first, second, third, token, verificationToken, resetToken]
}

async function useItems({ listd: { api } }: Scene): Promise<void> {
  const path = '/lists/recipes/items'
  const { json } = await api('POST', path, { body: { data: { title: `${canary} soup` }, description: canary } })
  await api('POST', path, { body: { data: { title: `${canary} soup` } } })
  await api('POST', path, { body: { data: { title: { [canary]: canary } } } })
  await api('POST', path, { text: `{"data":{"title":"${canary}"` })
  await api('PUT', `${path}/${json.id}`, { body: { data: { title: `${canary} stew` } } })
  await api('PUT', `${path}/${json.id}`, { body: { [canary]: canary } })
  await api('GET', `${path}/${encodeURIComponent(`${canary} stew`)}?title=${canary}`)
}

/** Credentials where they do not belong, and broken ones. */
async function attack({ listd: { api, user } }: Scene): Promise<void> {
  await api('GET', '/webhooks', { headers: { 'x-api-token': `listd_api_${canary}` } })
  await user('GET', '/webhooks', { headers: { authorization: `Bearer ${canary}` } })
  await user('GET', `/webhooks?token=${canary}`, { headers: { cookie: `service_session=${canary}` } })
  await user('POST', '/webhooks', { body: { url: `https://user:${canary}@127.0.0.1/`, events: [] } })
}

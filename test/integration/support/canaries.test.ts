import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { generateToken } from '#shared/crypto/token.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { startNats } from '../../support/nats/nats.ts'
import { assertNoSecretsLogged } from '../../support/test-context/canaries.ts'
import { testFolder } from '../../support/test-context/folder.ts'
import { collectTeardowns } from '../../support/test-context/teardown.ts'
import { testLog } from '../../support/test-context/test-log.ts'

const token = generateToken('reset')

test('a test fails when the database it used has a password or a token in clear', async (t) => {
  for (const [value, what] of [
    ['canary-password', /has a password/],
    [token, /has a token/],
  ] as const) {
    const ending = collectTeardowns()
    const { db } = await testDatabase(ending)
    await db.run(db.build('settings').insert({ name: 'planted', value: `a ${value}!` }))
    await t.throwsAsync(ending.run(), { message: what })
  }
})

test('a test fails when a log has a token or the secret of a webhook, except for the banner with the set-up link', (t) => {
  const ended = (line: string) => () => assertNoSecretsLogged('the log', [line])
  t.throws(ended(`{"url":"/x?token=${token}"}`), { message: /^the log has a token/ })
  t.throws(ended(`whsec_${'A'.repeat(43)}=`), { message: /has a webhook's secret/ })
  t.notThrows(ended(`  set up   http://127.0.0.1/setup#token=${token}`))
  t.notThrows(ended(`{"token":"${token.slice(0, -1)}"}`))
  const [ending, name] = [collectTeardowns(), 'service']
  testLog(ending, name).log('service.stopping', { reason: token, withinMs: 1 })
  return t.throwsAsync(ending.run(), { message: /^the log of service has a token/ })
})

test('a test fails when its folder or the store of its NATS has a secret', async (t) => {
  const ending = collectTeardowns()
  const folder = join(await testFolder(ending), 'jetstream/x')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, '1.blk'), `\u0000${token}\u0000`)
  await t.throwsAsync(ending.run(), { message: /1\.blk has a token/ })
  const nats = await startNats()
  await t.notThrowsAsync(nats.dispose())
})

import { chmod, chown, copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createMasterKey, openSealer } from '#shared/crypto/seal.ts'
import { lockDataDirectory, lockRotation } from '#shared/data/data-directory-lock.ts'
import { migrate } from '#shared/data/migrate.ts'
import { changeSealingKey, checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { resealSecrets } from '#shared/data/webhooks/reseal.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { commandLine } from '../../../support/processes/command-line.ts'
import { leaveMasterKey } from '../../../support/processes/master-key.ts'

/** An installation with this number of webhooks, whose secrets are their ids. */
async function installation(t: ExecutionContext, webhooks = 3) {
  const { run, dataDir, database } = await commandLine(t)
  const db = await database()
  await migrate(db)
  await leaveMasterKey(dataDir, db)
  const path = join(dataDir, 'master-key')
  const keyText = () => readFile(path, 'utf8')
  const { accountId } = await makeList(db)
  const sealer = openSealer(await keyText())
  for (let n = 0; n < webhooks; n++) {
    const webhookId = await makeWebhook(db, { accountId })
    const sealed = sealer.seal(webhookId, webhookSecretBinding({ accountId, webhookId }))
    await db.run('update webhooks set secret = ? where id = ?', [sealed, webhookId])
  }
  /** Asserts that the current key file opens every secret. */
  async function assertOpens() {
    const keys = openSealer(await keyText())
    for (const { id, secret } of await db.all<{ id: string; secret: string }>('select id, secret from webhooks')) {
      t.is(keys.open(secret, webhookSecretBinding({ accountId, webhookId: id })), id)
    }
  }
  return { run, dataDir, db, path, keyText, assertOpens, oldId: sealer.keyIds()[0] ?? '' }
}

const idsOf = (keyText: string) => openSealer(keyText).keyIds()

test('one command creates a new key, reseals everything with it and keeps the old one separately for backups', async (t) => {
  const { run, dataDir, db, path, keyText, assertOpens, oldId } = await installation(t)
  const before = await keyText()
  const { code, stderr, stdout } = await run(['secrets', 'rotate'])
  t.is(code, 0, stderr)
  const [newId = '', ...more] = idsOf(await keyText())
  t.deepEqual(more, [])
  t.not(newId, oldId)
  t.true(stderr.includes(`The key ${newId} seals from now on; resealed 3 secrets with it.`))
  t.true(stderr.includes(`kept in ${path}.${oldId}`))
  for (const text of [before, await keyText()]) t.false((stderr + stdout).includes(text.trim()))
  t.is(await readFile(`${path}.${oldId}`, 'utf8'), before)
  await assertOpens()
  t.deepEqual(await checkMasterKey(db, null), { sealing: newId, old: [], missing: [newId] })
  const status = JSON.parse((await run(['secrets', 'status', '--json'])).stdout)
  t.deepEqual(status, [{ key: newId, seals: true, here: true, secrets: 3 }])
  t.regex((await run(['secrets', 'status'])).stdout, /^KEY +SEALS +AVAILABLE +SECRETS SEALED WITH IT\n/)
  const doctor = await run(['doctor'], { env: { LISTD_GATEWAY_PORT: '0' } })
  t.regex(doctor.stdout, new RegExp(`master key .*master-key\\.${oldId} is an old key, which only backups`))
  t.is((await run(['secrets', 'rotate'])).code, 0)
  t.is((await readdir(dataDir)).filter((name) => /^master-key\.[0-9a-f]{8}$/.test(name)).length, 2)
  await assertOpens()
})

/** Functions that leave a rotation at the step at which it was killed. */
const stops: Record<string, (at: Awaited<ReturnType<typeof installation>>, added: string) => Promise<void>> = {
  'the new key was in the file': async () => {},
  'the new key was the one that seals': async ({ db }, added) => {
    await changeSealingKey(db, { keys: openSealer(added), keyId: idsOf(added)[0] ?? '' })
  },
  'some secrets were resealed': async ({ db }, added) => {
    const keyId = idsOf(added)[0] ?? ''
    await changeSealingKey(db, { keys: openSealer(added), keyId })
    await resealSecrets(db, { sealer: openSealer(added), keyId, after: '', rows: 50 })
  },
  'the old key was no longer needed': async ({ run, path }, added) => {
    await run(['secrets', 'reseal'])
    await writeFile(path, added)
  },
}

for (const [when, stop] of Object.entries(stops)) {
  test(`a rotation that was killed when ${when} is finished by the next one, and starts are possible in between`, async (t) => {
    const at = await installation(t, 60)
    const { run, path, keyText, assertOpens, oldId } = at
    const added = `${createMasterKey()}\n${await keyText()}`
    await writeFile(path, added)
    await stop(at, added)
    await assertOpens()
    const { code, stderr } = await run(['secrets', 'rotate'])
    t.is(code, 0, stderr)
    t.regex(stderr, /This finished an interrupted rotation/)
    t.deepEqual(idsOf(await keyText()), [idsOf(added)[0]])
    t.deepEqual(idsOf(await readFile(`${path}.${oldId}`, 'utf8')), [oldId])
    await assertOpens()
  })
}

test('the old key stays while something that it has sealed cannot be opened, which is reported with counts', async (t) => {
  const { run, db, keyText, oldId } = await installation(t)
  const [first] = await db.all<{ id: string }>('select id from webhooks order by id limit 1')
  const unknown = openSealer(createMasterKey())
  await db.run('update webhooks set secret = ? where id = ?', [`v1.${oldId}.${'A'.repeat(80)}`, first?.id])
  await db.run('update webhooks set previous_secret = ? where id = ?', [unknown.seal('lost', 'row'), first?.id])
  const { code, stderr } = await run(['secrets', 'rotate'])
  t.is(code, 1)
  const counts = `1 secret with the key ${oldId}, 1 secret with the key ${unknown.keyIds()[0]}`
  t.true(stderr.includes(`cannot be opened and were left unchanged: ${counts}.`), stderr)
  t.deepEqual(idsOf(await keyText()).slice(1), [oldId])
  const doctor = JSON.parse((await run(['doctor', '--json'], { env: { LISTD_GATEWAY_PORT: '0' } })).stdout)
  const ofKeys = doctor.filter(({ check }: { check: string }) => check === 'master key')
  t.regex(ofKeys[0].message, new RegExp(`the key ${unknown.keyIds()[0]} is missing, and 1 secret .* is sealed with it`))
  t.regex(ofKeys[0].fix, /or replace the signing secrets and headers of these webhooks/)
  t.regex(ofKeys[1].message, /a rotation is not finished/)
  await db.run('delete from webhooks where id = ?', [first?.id])
  t.is((await run(['secrets', 'rotate'])).code, 0)
  t.is(idsOf(await keyText()).length, 1)
})

test('configured keys are changed in the configuration: the first seals, and the command names those to remove', async (t) => {
  const { run, keyText, db, oldId } = await installation(t)
  const old = (await keyText()).trim()
  const next = createMasterKey()
  const rejected = await run(['secrets', 'rotate'], { env: { LISTD_SECRETS_MASTER_KEY: old } })
  t.regex(rejected.stderr, /^listd: the master key is configured .*"listd secrets reseal"/)
  const without = await run(['secrets', 'reseal'], { env: { LISTD_SECRETS_MASTER_KEY: next } })
  t.regex(without.stderr, new RegExp(`sealed with the key ${oldId}, which is missing`))
  t.deepEqual((await checkMasterKey(db, null)).sealing, oldId)
  const { code, stderr } = await run(['secrets', 'reseal'], { env: { LISTD_SECRETS_MASTER_KEY: `${next},${old}` } })
  t.is(code, 0, stderr)
  t.regex(stderr, new RegExp(`resealed 3 secrets .*\\nNothing in this database needs the key ${oldId} any more`))
  const doctor = await run(['doctor'], {
    env: { LISTD_GATEWAY_PORT: '0', LISTD_SECRETS_MASTER_KEY: `${next},${old}` },
  })
  t.regex(doctor.stdout, new RegExp(`needs the key ${oldId} any more\\n +-> remove it from LISTD_SECRETS_MASTER_KEY`))
})

test('a backup from before a rotation is restored with the key that the rotation has kept, and rotated again', async (t) => {
  const { run, dataDir, path, keyText, oldId } = await installation(t)
  const file = join(dataDir, 'backup')
  await run(['backup', file])
  await run(['secrets', 'rotate'])
  const newText = await keyText()
  const there = await commandLine(t)
  const [key, kept] = [join(there.dataDir, 'master-key'), join(there.dataDir, `master-key.${oldId}`)]
  await writeFile(key, newText)
  await copyFile(`${path}.${oldId}`, kept)
  const rejected = await there.run(['restore', file])
  t.regex(rejected.stderr, new RegExp(`needs the master key ${oldId}, .* It is in ${kept}\\.\n$`))
  await writeFile(key, newText + (await readFile(kept, 'utf8')))
  t.is((await there.run(['restore', file])).code, 0)
  const again = await there.run(['secrets', 'rotate'])
  t.is(again.code, 0, again.stderr)
  t.is(await readFile(key, 'utf8'), newText)
  const status = JSON.parse((await there.run(['secrets', 'status', '--json'])).stdout)
  t.deepEqual(status, [{ key: idsOf(newText)[0], seals: true, here: true, secrets: 3 }])
})

test('secrets of a lost key can be given up: services start again, and the lost ones are counted', async (t) => {
  const { run, db, path, keyText, oldId } = await installation(t)
  t.regex((await run(['secrets', 'reseal', '--give-up', oldId])).stderr, new RegExp(`the key ${oldId} is available`))
  await writeFile(path, `${createMasterKey()}\n`)
  t.regex((await run(['secrets', 'reseal'])).stderr, /which is missing.*--give-up/)
  const { code, stderr } = await run(['secrets', 'reseal', '--give-up', oldId])
  t.is(code, 0, stderr)
  t.regex(stderr, new RegExp(`3 secrets that the lost key ${oldId} had sealed cannot be opened any more`))
  t.deepEqual((await checkMasterKey(db, openSealer(await keyText()))).missing, [])
})

test('a key file that others may read is wrong, whoever may enter its folder', async (t) => {
  const { run, path } = await installation(t)
  await chmod(path, 0o644)
  const { stdout, code } = await run(['doctor'], { env: { LISTD_GATEWAY_PORT: '0' } })
  t.is(code, 1)
  t.regex(
    stdout,
    /WRONG +master key +other users of this machine may read .*\n +-> run "chmod 600 .*"listd secrets rotate"/,
  )
})

test('no rotation runs twice at once, before the first start, or while the running services cannot be queried', async (t) => {
  const empty = await commandLine(t)
  await empty.run(['migrate'])
  t.regex((await empty.run(['secrets', 'rotate'])).stderr, /there is no master key yet: .* "listd start" creates it/)
  const { run, dataDir, path, keyText, db, oldId } = await installation(t)
  if (process.getuid?.() === 0) {
    await chown(path, 12_345, 12_345)
    t.regex((await run(['secrets', 'rotate'])).stderr, /master-key belongs to the user 12345, .* Run this as that user/)
    await chown(path, 0, 0)
  } else t.log('left out: only root may give a file away')
  t.deepEqual(idsOf(await keyText()), [oldId])
  const rotation = await lockRotation(dataDir)
  t.regex((await run(['secrets', 'rotate'])).stderr, /another "listd secrets rotate" is running/)
  await rotation.release()
  const running = await lockDataDirectory(dataDir)
  await writeFile(join(dataDir, 'nats-url'), 'nats://127.0.0.1:9\n')
  t.regex((await run(['secrets', 'rotate'])).stderr, /NATS cannot be reached, so the services cannot be queried/)
  await running.release()
  t.deepEqual((await checkMasterKey(db, null)).sealing, oldId)
  t.is(idsOf(await keyText()).at(-1), oldId)
})

import { stat } from 'node:fs/promises'
import { openSealer } from '#shared/crypto/seal.ts'
import { lockRotation } from '#shared/data/data-directory-lock.ts'
import { checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { countSealedSecrets } from '#shared/data/webhooks/reseal.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { keyPath, readMasterKey } from '../master-key.ts'
import { addNewKey, dropOldKeys, readKeyFile } from '../secrets/key-file.ts'
import { type Resealed, reseal } from '../secrets/reseal.ts'
import { listing } from '../terminal/listing.ts'
import { createProgressLine } from '../terminal/progress-line.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type CommandContext, withSchema } from './database/database.ts'

/** `listd secrets status`: the keys, which one seals, and how many secrets each has sealed. Read-only. */
export async function secretsStatusCommand(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  await withSchema(terminal, async ({ config, db }) => {
    const text = await readMasterKey(config)
    const sealer = text === null ? null : openSealer(text)
    const { sealing, old } = await checkMasterKey(db, sealer)
    const counts = await countSealedSecrets(db)
    const here = sealer?.keyIds() ?? []
    const keyIds = new Set([...(sealing === null ? [] : [sealing]), ...here, ...old, ...counts.keys()])
    const rows = [...keyIds].map((key) => ({
      key,
      seals: key === sealing,
      here: here.includes(key),
      secrets: counts.get(key) ?? 0,
    }))
    const columns = { key: 'key', seals: 'seals', available: 'here', 'secrets sealed with it': 'secrets' } as const
    terminal.stdout.write(listing(rows, { columns, json }))
  })
}

/**
 * `listd secrets reseal`: from now on seals with the first available key, and reseals what other keys have sealed.
 * @param options.giveUp ids of lost keys: services start without them, and webhooks whose secrets they sealed receive nothing until
 * these secrets are replaced
 * @throws Error with a sentence when a key is missing, or some secrets cannot be opened
 */
export async function resealCommand(terminal: Terminal, { giveUp = [] }: { giveUp?: string[] }): Promise<void> {
  await withSchema(terminal, async ({ config, db }) => {
    const text = await readMasterKey(config)
    if (text === null) throw new Error('secrets.masterKey is not set, so there is no key to seal with.')
    const sealer = openSealer(text)
    const [keyId = '', ...others] = sealer.keyIds()
    const held = giveUp.filter((id) => sealer.has(id))
    if (held.length > 0) throw new Error(`the key ${held.join(' and ')} is available, so what it sealed is not lost.`)
    const lost = new Set(giveUp)
    const result = await withProgress(terminal, (onProgress) => reseal({ config, db, sealer, keyId, lost, onProgress }))
    terminal.stderr.write(messages.resealed(keyId, result))
    for (const [id, count] of result.lost) terminal.stderr.write(messages.lost(id, count))
    const unneeded = others.filter((other) => !result.left.has(other))
    if (unneeded.length > 0) terminal.stderr.write(messages.unneeded(unneeded))
    throwIfLeft(result)
  })
}

/**
 * `listd secrets rotate`: creates a new master key, reseals every secret with it, and removes the previous key from the key file, while
 * listd runs. The next rotation finishes an interrupted one.
 * @throws Error with a sentence when the key does not come from the file in the data directory, or some secrets cannot be opened
 */
export async function rotateCommand(terminal: Terminal): Promise<void> {
  await withSchema(terminal, async (context) => {
    const { config } = context
    if (config.secrets.masterKey !== '') throw new Error(messages.configured)
    if ((await readMasterKey(config)) === null) throw new Error(messages.noFile(keyPath(config)))
    await assertOwnKeyFile(keyPath(config))
    const lock = await lockRotation(config.dataDir)
    try {
      await rotate(context)
    } finally {
      await lock.release()
    }
  })
}

/** If root replaces the file of another user, that user's listd cannot read it at its next start. */
async function assertOwnKeyFile(path: string): Promise<void> {
  const { uid } = await stat(path)
  if (uid !== process.getuid?.()) throw new Error(messages.otherUser(path, uid))
}

async function rotate({ terminal, config, db }: CommandContext): Promise<void> {
  const path = keyPath(config)
  const isUnfinished = openSealer(await readKeyFile(path)).keyIds().length > 1
  if (!isUnfinished) await addNewKey(path)
  const sealer = openSealer(await readKeyFile(path))
  const [keyId = '', ...others] = sealer.keyIds()
  const result = await withProgress(terminal, (onProgress) => reseal({ config, db, sealer, keyId, onProgress }))
  terminal.stderr.write(messages.resealed(keyId, result))
  const kept = await dropOldKeys(path, new Set(others.filter((other) => !result.left.has(other))))
  for (const file of kept) terminal.stderr.write(messages.kept(file))
  terminal.stderr.write(messages.copyNew(keyId, path))
  if (isUnfinished) terminal.stderr.write(messages.finished)
  throwIfLeft(result)
}

async function withProgress<T>(terminal: Terminal, work: (onProgress: (resealed: number) => void) => Promise<T>) {
  const line = createProgressLine(terminal)
  return work((resealed) => line.show(`${counted(resealed, 'secret')} resealed`)).finally(line.clear)
}

/** @throws Error with counts when some secrets still need another key */
function throwIfLeft({ left }: Resealed): void {
  if (left.size === 0) return
  const each = [...left].map(([keyId, count]) => `${counted(count, 'secret')} with the key ${keyId || '(none)'}`)
  throw new Error(
    `some secrets of webhooks cannot be opened and were left unchanged: ${each.join(', ')}. ` +
      'Keep these keys, add those that are missing and run this again, or replace the secrets and headers of these webhooks.',
  )
}

const messages = {
  configured:
    'the master key is configured (secrets.masterKey), so this command cannot replace it. Put a new key before the current ' +
    'one, give both to every process, run "listd secrets reseal", and remove the old one.',
  otherUser: (path: string, uid: number) =>
    `${path} belongs to the user ${uid}, who could not read a replacement that another user writes. Run this as that user.`,
  noFile: (path: string) => `there is no master key yet: ${path} does not exist. "listd start" creates it.`,
  resealed: (keyId: string, { resealed }: Resealed) =>
    `The key ${keyId} seals from now on; resealed ${counted(resealed, 'secret')} with it.\n`,
  lost: (keyId: string, count: number) =>
    `${counted(count, 'secret')} that the lost key ${keyId} had sealed cannot be opened any more: replace the signing secrets of these ` +
    'webhooks ("POST /webhooks/{webhook}/secret"), and their headers ("PUT /webhooks/{webhook}"). Until then their deliveries fail with the error "secret".\n',
  unneeded: (keyIds: readonly string[]) =>
    `Nothing in this database needs the key ${keyIds.join(' or ')} any more: remove it from secrets.masterKey. ` +
    'Earlier backups still need it.\n',
  kept: (file: string) =>
    `Earlier backups need the old key, which is kept in ${file}: move it to your copies of keys, or delete it.\n`,
  copyNew: (keyId: string, path: string) =>
    `Keep a copy of the key ${keyId}, which is in ${path}, apart from the backups.\n`,
  finished: 'This finished an interrupted rotation; run the command again for another key.\n',
}

import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Config } from '#shared/config/load.ts'
import { noMasterKey } from '#shared/crypto/key-text.ts'
import type { Database } from '#shared/data/database.ts'
import { schemaStatus } from '#shared/data/migrate.ts'
import { checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { countSealedSecrets } from '#shared/data/webhooks/reseal.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { findExposedPaths } from '../exposed-paths.ts'
import { isOnServer, keyPath, readMasterKey } from '../master-key.ts'
import { type Check, type CheckResult, note, ok, wrong } from './check.ts'
import { notChecked, onDatabase } from './on-database.ts'

/** Whether the available keys open the secrets in the database, and whether a key is no longer needed. */
export const masterKey: Check = {
  name: 'master key',
  async run(context) {
    const { config } = context
    if (isOnServer(config) && config.secrets.masterKey === '') {
      return wrong(noMasterKey.what, noMasterKey.fix)
    }
    // Checked without a database too: an unreadable key file stops the first start.
    const text = await readMasterKey(config)
    const found = [...(await exposedPaths(config)), ...(await keptKeys(config))]
    const ofDatabase = await onDatabase(context, (db) => checkKeys(db, { config, text }), {
      none: ok('not needed yet'),
      unusable: notChecked,
    })
    return [ofDatabase, found].flat()
  },
}

/** @param of.text the available keys; null: there are none */
async function checkKeys(db: Database, of: { config: Config; text: string | null }): Promise<CheckResult[]> {
  const { config, text } = of
  if ((await schemaStatus(db)).version === 0) return [ok('not needed yet')]
  const { openSealer } = await import('#shared/crypto/seal.ts')
  const keys = text === null ? null : openSealer(text)
  const here = keys?.keyIds() ?? []
  const { sealing, old, missing } = await checkMasterKey(db, keys)
  if (sealing === null) return [ok(text === null ? 'not needed yet' : 'there is one, and nothing is sealed yet')]
  const counts = await countSealedSecrets(db)
  const found = [
    ...missingKeys({ missing, counts, here, config }),
    ...(missing.length > 0 ? [] : unfinishedRotation({ sealing, old, here, counts, config })),
  ]
  return found.length > 0 ? found : [ok(`${sealing}, which seals ${counted(counts.get(sealing) ?? 0, 'secret')}`)]
}

type Keys = { here: readonly string[]; counts: ReadonlyMap<string, number>; config: Config }

function missingKeys({ missing, here, counts, config }: Keys & { missing: readonly string[] }): CheckResult[] {
  const unknown = [...counts.keys()].filter((keyId) => !here.includes(keyId))
  return [...new Set([...missing, ...unknown])].map((keyId) => {
    const sealed = counted(counts.get(keyId) ?? 0, 'secret')
    const place = isOnServer(config) ? 'LISTD_SECRETS_MASTER_KEY' : `${keyPath(config)} or LISTD_SECRETS_MASTER_KEY`
    return wrong(
      `the key ${keyId || '(none)'} is missing, and ${sealed} in the database ${counts.get(keyId) === 1 ? 'is' : 'are'} sealed with it`,
      missing.includes(keyId)
        ? `add that key to ${place}`
        : `add that key to ${place}, or replace the signing secrets and headers of these webhooks`,
    )
  })
}

/** A second key is there during a rotation only. */
function unfinishedRotation(of: Keys & { sealing: string; old: readonly string[] }): CheckResult[] {
  const { sealing, old, here, counts, config } = of
  const command = config.secrets.masterKey === '' ? 'listd secrets rotate' : 'listd secrets reseal'
  if (here[0] !== sealing || old.length > 0)
    return [
      note(`a rotation is not finished: the key ${sealing} seals, and ${here[0]} is the first`, `run "${command}"`),
    ]
  const unneeded = here.filter((keyId) => keyId !== sealing && !counts.has(keyId))
  if (unneeded.length === 0) return []
  const fix = config.secrets.masterKey === '' ? `run "${command}"` : 'remove it from LISTD_SECRETS_MASTER_KEY'
  return [note(`nothing in the database needs the key ${unneeded.join(' or ')} any more`, fix)]
}

async function exposedPaths(config: Config): Promise<CheckResult[]> {
  const exposed = await findExposedPaths(config)
  return exposed.map(({ path, to, fix }) => wrong(`other users of this machine may ${to} ${path}`, fix))
}

/** A rotation leaves the previous key next to the new one. */
async function keptKeys({ dataDir }: Config): Promise<CheckResult[]> {
  const prefix = `${basename(keyPath({ dataDir }))}.`
  const names = await readdir(dataDir).catch(() => [])
  const kept = names.filter((name) => name.startsWith(prefix) && /^[0-9a-f]{8}$/.test(name.slice(prefix.length)))
  return kept.map((name) =>
    note(
      `${join(dataDir, name)} is an old key, which only backups from before its rotation need`,
      'move it to your copies of keys, or delete it',
    ),
  )
}

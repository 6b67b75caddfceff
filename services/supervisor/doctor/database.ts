import { existsSync } from 'node:fs'
import { databaseFile, openDatabase } from '#shared/data/database.ts'
import { judgeMasterKey } from '#shared/data/master-key.ts'
import { type SchemaStatus, schemaStatus } from '#shared/data/migrate.ts'
import { hasUsers } from '#shared/data/users.ts'
import { readMasterKey } from '../master-key.ts'
import { type Check, note, ok, type Patient, type Verdict, wrong } from './finding.ts'

/** Whether the schema is one that this version runs on. */
export const databaseVersion: Check = {
  name: 'database',
  look: (patient) =>
    onDatabase(patient, async (db) => judgeSchema(await schemaStatus(db)), {
      none: note('there is none yet', 'the first "listd start" makes it'),
    }),
}

export function judgeSchema({ version, compatibleFrom, codeVersion, state }: SchemaStatus): Verdict {
  if (state === 'fits') return ok(`schema version ${version}`)
  if (state === 'too-old')
    return note(`schema version ${version} of ${codeVersion}`, 'run "listd migrate"; "listd start" does it too')
  const says = `its schema needs a listd that knows version ${compatibleFrom}; this one knows ${codeVersion}`
  return wrong(says, 'start the newer listd, or restore a backup made before the upgrade')
}

/** Whether the master key opens what the database holds. */
export const masterKey: Check = {
  name: 'master key',
  async look(patient) {
    const { config } = patient
    if (config.database.url !== '' && (await readMasterKey(config)) === null) {
      return wrong('there is none', 'make one with "openssl rand -base64 32" and set it as LISTD_SECRETS_MASTER_KEY')
    }
    return onDatabase(patient, (db) => lookAtKey(db, patient), { none: ok('not needed yet') })
  },
}

type Db = Awaited<ReturnType<typeof openDatabase>>

async function lookAtKey(db: Db, { config }: Patient): Promise<Verdict> {
  const { openSealer } = await import('#shared/crypto/seal.ts')
  const key = await readMasterKey(config)
  const judged = await judgeMasterKey(db, key === null ? null : openSealer(key))
  if (judged === 'fits') return ok('it is the one this database was set up with')
  if (judged === 'unused') return ok(key === null ? 'not needed yet' : 'there is one, and nothing sealed yet')
  const mend = `put the original key into ${config.dataDir}/master-key, or give it as LISTD_SECRETS_MASTER_KEY`
  return wrong(judged === 'other' ? 'it is not the one this database was set up with' : 'it is gone', mend)
}

/** Whether anybody can sign in. */
export const firstUser: Check = {
  name: 'first user',
  look: (patient) => onDatabase(patient, lookAtUsers, { none: note('there is none yet', howToSetUp) }),
}

const howToSetUp = 'open the link that "listd start" prints, or run "listd user create --email you@example.com"'

async function lookAtUsers(db: Db): Promise<Verdict> {
  if ((await schemaStatus(db)).state !== 'fits') return note('not looked at: the schema does not fit', 'see above')
  return (await hasUsers(db)) ? ok('there is one') : note('there is none yet', howToSetUp)
}

/** A database that is not there is not made by looking at it. */
async function onDatabase(
  { config }: Patient,
  look: (db: Db) => Promise<Verdict>,
  { none }: { none: Verdict },
): Promise<Verdict> {
  const where = { url: config.database.url, dataDir: config.dataDir }
  const file = databaseFile(where)
  if (file !== null && !existsSync(file)) return none
  const db = await openDatabase({ ...where, readers: 1 })
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

import { existsSync } from 'node:fs'
import { hasUsers } from '#shared/data/accounts/users.ts'
import { databaseFile, openDatabase } from '#shared/data/database.ts'
import { checkMasterKey } from '#shared/data/master-key.ts'
import { type SchemaStatus, schemaStatus } from '#shared/data/migrate.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { isOnServer, readMasterKey } from '../master-key.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'

/** Whether the schema is one that this version runs on. */
export const databaseVersion: Check = {
  name: 'database',
  run: (context) =>
    onDatabase(context, async (db) => checkSchemaVersion(await schemaStatus(db)), {
      none: noDatabase,
      unusable: (error) => wrong(describeError(error), 'start the server, or correct LISTD_DATABASE_URL'),
    }),
}

const noDatabase = note('there is none yet', 'the first "listd start" makes it')

export function checkSchemaVersion({ version, compatibleFrom, codeVersion, state }: SchemaStatus): CheckResult {
  if (state === 'fits') return ok(`schema version ${version}`)
  if (version === 0) return noDatabase
  if (state === 'too-old')
    return note(`schema version ${version} of ${codeVersion}`, 'run "listd migrate"; "listd start" does it too')
  const message = `its schema needs a listd that knows version ${compatibleFrom}; this one knows ${codeVersion}`
  return wrong(message, 'start the newer listd, or restore a backup made before the upgrade')
}

/** Whether the master key opens what the database holds. */
export const masterKey: Check = {
  name: 'master key',
  async run(context) {
    const { config } = context
    if (isOnServer(config) && config.secrets.masterKey === '') {
      return wrong('there is none', 'make one with "openssl rand -base64 32" and set it as LISTD_SECRETS_MASTER_KEY')
    }
    return onDatabase(context, (db) => lookAtKey(db, context), { none: ok('not needed yet') })
  },
}

type Db = Awaited<ReturnType<typeof openDatabase>>

async function lookAtKey(db: Db, { config }: DoctorContext): Promise<CheckResult> {
  if ((await schemaStatus(db)).version === 0) return ok('not needed yet')
  const { openSealer } = await import('#shared/crypto/seal.ts')
  const key = await readMasterKey(config)
  const validated = await checkMasterKey(db, key === null ? null : openSealer(key))
  if (validated === 'fits') return ok('it is the one this database was set up with')
  if (validated === 'unused') return ok(key === null ? 'not needed yet' : 'there is one, and nothing sealed yet')
  const given = isOnServer(config)
    ? 'give the original key'
    : `put the original key into ${config.dataDir}/master-key, or give it`
  const fix = `${given} as LISTD_SECRETS_MASTER_KEY`
  return wrong(validated === 'other' ? 'it is not the one this database was set up with' : 'it is gone', fix)
}

/** Whether anybody can sign in. */
export const firstUser: Check = {
  name: 'first user',
  run: (context) => onDatabase(context, lookAtUsers, { none: noUser }),
}

const noUser = note(
  'there is none yet',
  'open the link that "listd start" prints, or run "listd user create --email you@example.com"',
)

async function lookAtUsers(db: Db): Promise<CheckResult> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return noUser
  if (state !== 'fits') return note('not looked at: the schema does not fit', 'see above')
  return (await hasUsers(db)) ? ok('there is one') : noUser
}

/** A database that is not there is not made by looking at it. A server that cannot be used is told once. */
async function onDatabase(
  { config }: DoctorContext,
  run: (db: Db) => Promise<CheckResult>,
  { none, unusable = notLookedAt }: { none: CheckResult; unusable?: (error: unknown) => CheckResult },
): Promise<CheckResult> {
  const where = { ...config.database, dataDir: config.dataDir, readers: 1 }
  const file = databaseFile(where)
  if (file !== null && !existsSync(file)) return none
  let db: Db
  try {
    db = await openDatabase(where)
  } catch (error) {
    if (file !== null) throw error
    return unusable(error)
  }
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

function notLookedAt(): CheckResult {
  return note('not looked at: the database cannot be used', 'see above')
}

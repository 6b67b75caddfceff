import { existsSync } from 'node:fs'
import { hasUsers } from '#shared/data/accounts/users.ts'
import { checkMasterKey } from '#shared/data/master-key.ts'
import { type SchemaStatus, schemaStatus } from '#shared/data/migrate.ts'
import { databaseFile, openDatabase } from '#shared/data/open-database.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { isOnServer, readMasterKey } from '../master-key.ts'
import { type Check, type CheckResult, type DoctorContext, note, ok, wrong } from './check.ts'

/** Whether this version supports the schema. */
export const databaseVersion: Check = {
  name: 'database',
  run: (context) =>
    onDatabase(context, async (db) => checkSchemaVersion(await schemaStatus(db)), {
      none: noDatabase,
      unusable: (error) => wrong(describeError(error), 'start the server, or correct LISTD_DATABASE_URL'),
    }),
}

const noDatabase = note('there is none yet', 'run "listd start", which creates it')

function checkSchemaVersion({ version, compatibleFrom, codeVersion, state }: SchemaStatus): CheckResult {
  if (state === 'fits') return ok(`schema version ${version}`)
  if (version === 0) return noDatabase
  if (state === 'too-old')
    return note(`schema version ${version} of ${codeVersion}`, 'run "listd migrate" or "listd start"')
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
    return onDatabase(context, (db) => checkKey(db, context), { none: ok('not needed yet') })
  },
}

type Db = Awaited<ReturnType<typeof openDatabase>>

async function checkKey(db: Db, { config }: DoctorContext): Promise<CheckResult> {
  if ((await schemaStatus(db)).version === 0) return ok('not needed yet')
  const { openSealer } = await import('#shared/crypto/seal.ts')
  const key = await readMasterKey(config)
  const status = await checkMasterKey(db, key === null ? null : openSealer(key))
  if (status === 'fits') return ok('it is the one this database was set up with')
  if (status === 'unused') return ok(key === null ? 'not needed yet' : 'there is one, and nothing is sealed yet')
  const setVariable = 'set LISTD_SECRETS_MASTER_KEY to the original key'
  const fix = isOnServer(config) ? setVariable : `${setVariable}, or put that into ${config.dataDir}/master-key`
  return wrong(status === 'other' ? 'it is not the one this database was set up with' : 'it is missing', fix)
}

/** Whether there is a user who can sign in. */
export const firstUser: Check = {
  name: 'first user',
  run: (context) => onDatabase(context, checkUsers, { none: noUser }),
}

const noUser = note(
  'there is none yet',
  'open the link that "listd start" prints, or run "listd user create --email you@example.com"',
)

async function checkUsers(db: Db): Promise<CheckResult> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return noUser
  if (state !== 'fits') return note('not checked: this version does not support the schema', 'see above')
  return (await hasUsers(db)) ? ok('there is one') : noUser
}

/** Runs a check without creating a missing database. Only one check reports a server that cannot be used. */
async function onDatabase(
  { config }: DoctorContext,
  run: (db: Db) => Promise<CheckResult>,
  { none, unusable = notChecked }: { none: CheckResult; unusable?: (error: unknown) => CheckResult },
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

function notChecked(): CheckResult {
  return note('not checked: the database cannot be used', 'see above')
}

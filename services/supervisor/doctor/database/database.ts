import type { Database } from '#shared/data/database.ts'
import { type SchemaStatus, schemaStatus } from '#shared/data/migrate.ts'
import { hasUsers } from '#shared/data/users/users.ts'
import { AppError } from '#shared/errors.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { type Check, type CheckResult, note, ok, wrong } from '../check.ts'
import { notChecked, onDatabase } from '../on-database.ts'

/** Whether this version supports the schema. */
export const databaseVersion: Check = {
  name: 'database',
  run: (context) =>
    onDatabase(context, async (db) => checkSchemaVersion(await schemaStatus(db)), {
      none: noDatabase,
      unusable: (error) => wrong(describeError(error), error instanceof AppError ? rightsFix : serverFix),
    }),
}

const serverFix = 'start the server, or correct LISTD_DATABASE_URL'
const rightsFix = 'give the user of LISTD_DATABASE_URL all rights on the database'

const noDatabase = note('there is none yet', 'run "listd start", which creates it')

function checkSchemaVersion({ version, compatibleFrom, codeVersion, state }: SchemaStatus): CheckResult {
  if (state === 'fits') return ok(`schema version ${version}`)
  if (version === 0) return noDatabase
  if (state === 'too-old')
    return note(`schema version ${version} of ${codeVersion}`, 'run "listd migrate" or "listd start"')
  const message = `its schema needs a listd that supports version ${compatibleFrom}; this one supports versions up to ${codeVersion}`
  return wrong(message, 'start the newer listd, or restore a backup from before the upgrade')
}

/** Whether there is a user who can sign in. */
export const firstUser: Check = {
  name: 'first user',
  run: (context) => onDatabase(context, checkUsers, { none: noUser, unusable: notChecked }),
}

const noUser = note(
  'there is none yet',
  'open the link that "listd start" prints, or run "listd user create --email you@example.com"',
)

async function checkUsers(db: Database): Promise<CheckResult> {
  const { version, state } = await schemaStatus(db)
  if (version === 0) return noUser
  if (state !== 'fits') return note('not checked: this version does not support the schema', 'see above')
  return (await hasUsers(db)) ? ok('there is one') : noUser
}

import { randomBytes } from 'node:crypto'
import { withDatabase } from './database-url.ts'
import { mysqlDatabases } from './mysql/mysql-databases.ts'
import { postgresDatabases } from './postgres/postgres-databases.ts'

/** A database that one test has for itself. */
export type TestDatabase = { url: string; release(): Promise<void> }

/**
 * The databases of one run on one server. The template is migrated once; every test gets a database that looks exactly
 * as if it had just been migrated. Their names begin with the template's.
 */
export type TestDatabases = {
  /** @param migrate brings the database of a URL to where every test begins; without it, it stays empty */
  createTemplate(migrate?: (url: string) => Promise<void>): Promise<void>
  takeMigrated(): Promise<TestDatabase>
  takeEmpty(): Promise<TestDatabase>
  /** Removes the template and all others, also those of test processes that were killed. */
  removeAll(): Promise<void>
}

/** @param templateUrl the template on a Postgres, MySQL or MariaDB server, there or not */
export function databasesOf(templateUrl: string): TestDatabases {
  return templateUrl.startsWith('mysql:') ? mysqlDatabases(templateUrl) : postgresDatabases(templateUrl)
}

/** A name for the template of a new run. @param serverUrl of a user who may create databases */
export function newTemplateUrl(serverUrl: string): string {
  return withDatabase(serverUrl, `listd_test_${randomBytes(4).toString('hex')}`)
}

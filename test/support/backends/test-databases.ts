import { randomBytes } from 'node:crypto'
import type { TestDatabases } from './database-types.ts'
import { withDatabase } from './database-url.ts'
import { mysqlDatabases } from './mysql/mysql-databases.ts'
import { postgresDatabases } from './postgres/postgres-databases.ts'

/** @param templateUrl the template on a Postgres, MySQL or MariaDB server, existing or not */
export function databasesOf(templateUrl: string): TestDatabases {
  return templateUrl.startsWith('mysql:') ? mysqlDatabases(templateUrl) : postgresDatabases(templateUrl)
}

/** A name for the template of a new run. @param serverUrl with a user who may create databases */
export function newTemplateUrl(serverUrl: string): string {
  return withDatabase(serverUrl, `listd_test_${randomBytes(4).toString('hex')}`)
}

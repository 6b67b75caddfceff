import { startMysql } from '../../../test/support/backends/mysql/mysql-server.ts'
import { startPostgres } from '../../../test/support/backends/postgres/postgres-server.ts'
import { databasesOf, newTemplateUrl } from '../../../test/support/backends/test-databases.ts'
import { cleared } from '../cleared.ts'

export type BenchDatabase = 'sqlite' | 'postgres' | 'mysql'

/**
 * Starts the database to measure, with commits synced to disk as in production, before anything that measures is loaded,
 * because that finds it by environment variables.
 * @returns its description for the report
 */
export async function startDatabase(kind: BenchDatabase): Promise<string> {
  if (kind === 'sqlite') return 'SQLite, synchronous=FULL'
  const server = await (kind === 'postgres' ? startPostgres : startMysql)({ durable: true })
  if (server === null)
    throw new Error(`there is no ${kind} on this machine; "scripts/setup tests" installs it on Debian`)
  const templateUrl = newTemplateUrl(server.url)
  const databases = databasesOf(templateUrl)
  await databases.createTemplate()
  process.env.TEST_DATABASE_URL = templateUrl
  cleared(server.stop)
  return `${server.version}, ${server.from}, durable`
}

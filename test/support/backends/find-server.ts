import { mysqlVersion, startMysql } from './mysql/mysql-server.ts'
import { natsVersion } from './nats/nats-version.ts'
import { postgresVersion, startPostgres } from './postgres/postgres-server.ts'
import type { Server, ServerKind } from './server.ts'

/** The possible sources of servers; `any`: the first of an address, a container and a program of this machine. */
export type Source = 'any' | 'containers' | 'local'

/** Variables that name an existing server, with a user who may create databases. */
export const addressVariables: Record<ServerKind, string> = {
  postgres: 'TEST_POSTGRES_URL',
  mysql: 'TEST_MYSQL_URL',
  nats: 'TEST_NATS_URL',
}

const versions = { postgres: postgresVersion, mysql: mysqlVersion, nats: natsVersion }
/** NATS needs no server here: listd starts its own. */
const programs = { postgres: startPostgres, mysql: startMysql, nats: async () => null }

/**
 * Finds a server for a run, and starts it if necessary.
 * @returns null when no server is available
 * @throws Error when the requested one does not answer or start
 */
export async function findServer(kind: ServerKind, source: Source): Promise<Server | null> {
  const variable = addressVariables[kind]
  const url = process.env[variable] ?? ''
  if (source === 'any' && url !== '') {
    return { url, version: await versions[kind](url), from: `the address in ${variable}`, stop: async () => {} }
  }
  if (source === 'local') return programs[kind]()
  const container = await tryContainer(kind, source)
  return container ?? (source === 'any' ? programs[kind]() : null)
}

/** If there is a choice, the next source is used when a container is not available. */
async function tryContainer(kind: ServerKind, source: Source): Promise<Server | null> {
  // Loaded only here: it takes half a second.
  const { hasEngine, startContainer } = await import('./containers.ts')
  if (!(await hasEngine())) return null
  return startContainer(kind).catch((error: unknown) => {
    if (source === 'any') return null
    throw error
  })
}

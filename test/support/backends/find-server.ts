import { mysqlVersion, startMysql } from './mysql/mysql-server.ts'
import { natsVersion } from './nats/nats-version.ts'
import { postgresVersion, startPostgres } from './postgres/postgres-server.ts'
import type { Server, ServerKind } from './server.ts'

/** Where servers may come from; `any`: the first of an address, a container and a program of this machine. */
export type Source = 'any' | 'containers' | 'local'

/** Variables that name a server which is there already, with a user who may create databases. */
export const addressVariables: Record<ServerKind, string> = {
  postgres: 'TEST_POSTGRES_URL',
  mysql: 'TEST_MYSQL_URL',
  nats: 'TEST_NATS_URL',
}

const versions = { postgres: postgresVersion, mysql: mysqlVersion, nats: natsVersion }
/** NATS needs no server here: listd starts its own. */
const programs = { postgres: startPostgres, mysql: startMysql, nats: async () => null }

/**
 * Finds a server for a run, and starts it where need be.
 * @returns null when there is none
 * @throws Error when the one that was asked for does not answer or start
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

/** With a choice, a container that cannot be had leaves the next source. */
async function tryContainer(kind: ServerKind, source: Source): Promise<Server | null> {
  // Loaded only here: it takes half a second.
  const { hasEngine, startContainer } = await import('./containers.ts')
  if (!(await hasEngine())) return null
  return startContainer(kind).catch((error: unknown) => {
    if (source === 'any') return null
    throw error
  })
}

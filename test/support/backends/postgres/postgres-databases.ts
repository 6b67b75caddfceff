import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestDatabase, TestDatabases } from '../database-types.ts'
import { databaseIn, withDatabase } from '../database-url.ts'
import { assertNoSecretInTables, describeSchema, emptyTables } from './postgres-schema.ts'

/**
 * Databases on Postgres, where creating and dropping one costs 130 ms of CPU for its many files, and emptying one a fraction. So
 * migrated databases are kept for the run and reused. A lock in the server marks those in use. It is released with its connection,
 * even when a process is killed; the next user cleans the database.
 */
export function postgresDatabases(templateUrl: string): TestDatabases {
  const template = databaseIn(templateUrl)

  async function takeMigrated(): Promise<TestDatabase> {
    const client = await connect(templateUrl)
    const name = await lockFree(client, template)
    await makeLikeTemplate(client, { templateUrl, name })
    const url = withDatabase(templateUrl, name)
    const release = async () => {
      try {
        await within(url, assertNoSecretInTables)
      } finally {
        await client.end()
      }
    }
    return { url, release }
  }

  async function takeEmpty(): Promise<TestDatabase> {
    const name = `${template}_${randomBytes(6).toString('hex')}`
    await administrate(templateUrl, (client) => create(client, name, 'template0'))
    const release = () => administrate(templateUrl, (client) => drop(client, name))
    return { url: withDatabase(templateUrl, name), release }
  }

  return {
    async createTemplate(migrate) {
      await administrate(templateUrl, (client) => create(client, template, 'template0'))
      await migrate?.(templateUrl)
      const description = await within(templateUrl, describeSchema)
      // A database cannot be copied while it has connections, so its contents are recorded elsewhere.
      await administrate(templateUrl, async (client) => {
        await client.query(`comment on database ${template} is ${client.escapeLiteral(description)}`)
      })
    },
    takeMigrated,
    takeEmpty,
    removeAll: () =>
      administrate(templateUrl, async (client) => {
        const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [
          template,
        ])
        for (const { datname } of rows) await drop(client, datname)
      }),
  }
}

/** @returns the first name that no connection has locked */
async function lockFree(client: Client, template: string): Promise<string> {
  for (let n = 1; ; n++) {
    const { rows } = await client.query('select pg_try_advisory_lock(hashtext($1), $2) as locked', [template, n])
    if (rows[0]?.locked) return `${template}_${n}`
  }
}

/** Afterwards the database has the template's tables and rows, and no connections. */
async function makeLikeTemplate(
  client: Client,
  { templateUrl, name }: { templateUrl: string; name: string },
): Promise<void> {
  const template = databaseIn(templateUrl)
  const { rows } = await client.query(
    `select datname, shobj_description(oid, 'pg_database') as description from pg_database where datname in ($1, $2)`,
    [template, name],
  )
  const wanted = rows.find(({ datname }) => datname === template)?.description
  if (rows.some(({ datname }) => datname === name)) {
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    const isLike = await within(withDatabase(templateUrl, name), (inside) => emptyTables(inside, wanted))
    if (isLike) return
  }
  // It is new, or a test has changed its tables.
  await drop(client, name)
  await create(client, name, template)
}

async function create(client: Client, name: string, source: string): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  // Without a log of each page this is four times as fast if nothing is synced to the disk.
  const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'strategy file_copy' : ''
  await client.query(`create database ${name} template ${source} ${strategy}`)
}

/** Also works while killed or ending processes have connections to it. */
async function drop(client: Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`)
}

/** A short connection, to the database that is never copied or dropped. */
function administrate<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  return within(withDatabase(url, 'postgres'), work)
}

async function within<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url, databaseIn(url))
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function connect(url: string, database = 'postgres'): Promise<Client> {
  const client = new Client({ connectionString: withDatabase(url, database) })
  // Without a listener a broken connection would end this process.
  client.on('error', () => {})
  await client.connect()
  return client
}

import { Client } from 'pg'
import { processTree } from '../../../test/support/processes/processes.ts'
import { cpuSeconds, endedChildrenSeconds } from './processes.ts'

/** @returns a function that returns the CPU time that the bench's Postgres has used until then, in seconds, of all its processes */
export async function postgresCpu(): Promise<() => number> {
  const client = new Client({ connectionString: process.env.TEST_DATABASE_URL })
  await client.connect()
  const { rows } = await client.query("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid")
  await client.end()
  const { pid } = rows[0]
  // The CPU time of a process that ends in between is no longer available.
  return () => processTree(pid).reduce((sum, one) => sum + (cpuSeconds(one.pid) || 0), endedChildrenSeconds(pid))
}

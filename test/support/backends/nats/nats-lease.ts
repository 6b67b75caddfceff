import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'nats'

/** NATS servers for tests, separated by spaces; empty: each listd starts its own nats-server. */
const urls = (process.env.TEST_NATS_URL ?? '').split(' ').filter((url) => url !== '')

export type NatsLease = {
  /** Settings with which listd uses the server; empty if it starts its own. */
  settings: Record<string, string>
  release(): Promise<void>
}

/** Tests count what is on a server, so only one test uses it at a time; the next waits. */
export async function leaseNats(): Promise<NatsLease> {
  if (urls.length === 0) return { settings: {}, release: async () => {} }
  for (;;) {
    for (const url of urls) {
      const release = await tryLease(url)
      if (!release) continue
      await removeStream(url)
      return { settings: { LISTD_NATS_URL: url }, release }
    }
    await delay(50)
  }
}

/** A folder with the holder's process id, for all test processes of the machine. @returns null while another process has it */
async function tryLease(url: string): Promise<(() => Promise<void>) | null> {
  const folder = join(tmpdir(), `listd-test-nats-${new URL(url).host.replace(':', '-')}`)
  const isFree = await mkdir(folder).then(
    () => true,
    () => false,
  )
  if (!isFree) {
    const holder = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => process.pid))
    // The holder was killed.
    if (!isAlive(holder)) await rm(folder, { recursive: true, force: true })
    return null
  }
  await writeFile(join(folder, 'pid'), String(process.pid))
  return () => rm(folder, { recursive: true, force: true })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** The last holder's messages belong to a database that no longer exists. */
async function removeStream(url: string): Promise<void> {
  const { host, username: user, password: pass } = new URL(url)
  const connection = await connect({ servers: host, user, pass })
  const { streams } = await connection.jetstreamManager()
  for (const name of await streams.names().next()) if (name.endsWith('-events')) await streams.delete(name)
  await connection.close()
}

import { addressVariables, findServer, type Source } from '../find-server.ts'
import { ownNatsVersion } from './nats-version.ts'

/** Two test files run at a time, and a test may run listd twice. */
const containers = 4

/** The NATS servers of a run, for `TEST_NATS_URL`; without any, each listd starts its own nats-server. */
export type NatsServers = { urls: string; reported: string; stop(): Promise<void> }

export async function openNats(source: Source): Promise<NatsServers> {
  const isGiven = source === 'any' && (process.env[addressVariables.nats] ?? '') !== ''
  if (source !== 'containers' && !isGiven) {
    const reported = `${await ownNatsVersion()}, a nats-server for each listd`
    return { urls: '', reported, stop: async () => {} }
  }
  const count = isGiven ? 1 : containers
  const servers = await Promise.all(Array.from({ length: count }, () => findServer('nats', source)))
  const found = servers.filter((server) => server !== null)
  return {
    urls: found.map(({ url }) => url).join(' '),
    reported: found[0] ? `${found[0].version}, ${found.length} of ${found[0].from}` : 'none was found here',
    stop: async () => void (await Promise.all(found.map((server) => server.stop()))),
  }
}

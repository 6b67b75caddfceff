import { MySqlContainer } from '@testcontainers/mysql'
import { NatsContainer } from '@testcontainers/nats'
import { PostgreSqlContainer } from '@testcontainers/postgresql'
import { getContainerRuntimeClient, ImageName, type StartedTestContainer } from 'testcontainers'
import { guardContainer } from './container-guard.ts'
import { mysqlSettings, mysqlVersion } from './mysql/mysql-server.ts'
import { natsVersion } from './nats/nats-version.ts'
import { postgresSettings, postgresVersion } from './postgres/postgres-server.ts'
import type { Server, ServerKind } from './server.ts'

/** The official images; if they cannot be pulled, `scripts/test-images` builds images with these names. */
const images: Record<ServerKind, string> = { postgres: 'postgres:18', mysql: 'mysql:9', nats: 'nats:2' }

/** Whether a Docker engine answers. */
export function hasEngine(): Promise<boolean> {
  return getContainerRuntimeClient().then(
    () => true,
    () => false,
  )
}

/** Starts a server in a container. @throws Error when its image is not available, or it does not start */
export async function startContainer(kind: ServerKind): Promise<Server> {
  await doWithoutReaper()
  const { container, url, version } = await starts[kind]()
  const unguard = guardContainer(container.getId())
  return {
    url,
    version,
    from: `a container of ${images[kind]}`,
    async stop() {
      await container.stop()
      unguard()
    },
  }
}

type Started = { container: StartedTestContainer; url: string; version: string }

const starts: Record<ServerKind, () => Promise<Started>> = {
  async postgres() {
    const settings = postgresSettings.flatMap((setting) => ['-c', setting])
    const container = await new PostgreSqlContainer(images.postgres).withCommand(['postgres', ...settings]).start()
    const url = container.getConnectionUri()
    return { container, url, version: await postgresVersion(url) }
  },
  async mysql() {
    const container = await new MySqlContainer(images.mysql).withCommand(['mysqld', ...mysqlSettings]).start()
    // The other user of the container may use only one database.
    const url = container.getConnectionUri(true)
    return { container, url, version: await mysqlVersion(url) }
  },
  async nats() {
    const container = await new NatsContainer(images.nats).withJetStream().start()
    const { servers, user, pass } = container.getConnectionOptions()
    const url = `nats://${user}:${pass}@${servers}`
    return { container, url, version: await natsVersion(url) }
  },
}

/** Testcontainers uses a separate container to end what a killed process left; its image may be unreachable. */
async function doWithoutReaper(): Promise<void> {
  const { image } = await getContainerRuntimeClient()
  const reaper = ImageName.fromString(process.env.RYUK_CONTAINER_IMAGE ?? 'testcontainers/ryuk:0.14.0')
  await image.pull(reaper).catch(() => {
    process.env.TESTCONTAINERS_RYUK_DISABLED = 'true'
  })
}

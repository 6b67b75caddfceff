import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { makeSecrets } from '../support/deploy/compose-secrets.ts'
import { docker, healthy, image, inspect, listdIn } from '../support/deploy/docker.ts'
import { runTour, tourFolder } from '../support/deploy/tour.ts'
import { freePort } from '../support/processes/free-port.ts'
import { showOnFailure } from '../support/test-context/failure-log.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

type Compose = {
  address: string
  compose(...args: string[]): Promise<string>
  container(service: string): Promise<string>
}

/** Creates a site of compose.yaml whose dispatcher trusts a receiver on its loopback, and removes it when the test ends. */
async function site(
  t: ExecutionContext,
  { folder, certificate }: { folder: string; certificate: string },
): Promise<Compose> {
  await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  await makeSecrets(folder)
  const trusted = {
    environment: { LISTD_WEBHOOKS_CA_FILE: '/receiver.pem' },
    volumes: [`${certificate}:/receiver.pem:ro`],
  }
  await writeFile(join(folder, 'own.json'), JSON.stringify({ services: { 'webhook-dispatcher': trusted } }))
  const address = `127.0.0.1:${await freePort()}`
  const env = {
    ...process.env,
    LISTD_IMAGE: image,
    LISTD_LISTEN: address,
    LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
  }
  const files = ['--file', 'deploy/compose.yaml', '--file', 'own.json', '--project-name', `listd-test-${process.pid}`]
  const compose = async (...args: string[]) => {
    const { stdout } = await run('docker', ['compose', ...files, ...args], { cwd: folder, env, maxBuffer: 2 ** 24 })
    return stdout.trim()
  }
  const log = { last: '' }
  showOnFailure(t, 'compose', () => log.last.split('\n'))
  t.teardown(async () => {
    log.last = await compose('logs', '--tail', '20').catch(String)
    await compose('down', '--volumes', '--timeout', '5')
  })
  return { address, compose, container: (service) => compose('ps', '--all', '--quiet', service) }
}

test("README's tour works in the set-up of compose.yaml, which drains when it is stopped and starts again", async (t) => {
  const tour = await tourFolder(t)
  const { address, compose, container } = await site(t, tour)
  await compose('up', '--detach')
  const services = await Promise.all(['gateway', 'identity', 'webhook-dispatcher'].map(container))
  await Promise.all([...services, await container('nats'), await container('postgres')].map(healthy))
  t.is(await inspect(await container('migrate'), '.State.ExitCode'), '0')
  t.is((await fetch(`http://${address}/health/ready`)).status, 200)

  const [gateway = '', , dispatcher = ''] = services
  const host = await inspect(
    gateway,
    '(index .NetworkSettings.Networks (print (index .Config.Labels "com.docker.compose.project") "_inside")).IPAddress',
  )
  const { command, env } = await listdIn(gateway)
  const { enter } = await listdIn(dispatcher)
  await runTour(t, { ...tour, ports: { api: 3000, receiver: 8443 } }, { command, env, host, ...(enter && { enter }) })

  await compose('stop')
  for (const service of services) t.is(await inspect(service, '.State.ExitCode'), '0')
  await compose('up', '--detach')
  await Promise.all(services.map(healthy))
  const list = await docker('exec', gateway, 'listd', 'user', 'list', '--json')
  t.like(JSON.parse(list), [{ email: 'you@example.com' }])
})

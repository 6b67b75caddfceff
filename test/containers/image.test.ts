import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { until } from '../support/assertions/until.ts'
import { docker, healthy, image, inspect, listdIn, watchContainer } from '../support/deploy/docker.ts'
import { runTour, tourFolder } from '../support/deploy/tour.ts'

const run = promisify(execFile)

/** The options of docs/operating.md, which allow only what the image needs: no rights of root, and no writes outside its volume. */
const guarded = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--volume', '/data']

async function startImage(t: ExecutionContext, ...options: string[]): Promise<string> {
  const id = await docker('run', '--detach', '--publish', '127.0.0.1::3000', ...guarded, ...options, image)
  await watchContainer(t, id)
  await until(async () => /^ {2}try it /m.test(await docker('logs', id)) || (await docker('logs', id)), {
    withinMs: 120_000,
    what: 'the banner',
  })
  return id
}

test("README's tour works in a container of the image, which is healthy and drains when it is stopped", async (t) => {
  const tour = await tourFolder(t)
  const settings = {
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    LISTD_WEBHOOKS_CA_FILE: '/receiver.pem',
  }
  const id = await startImage(
    t,
    ...Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    '--volume',
    `${tour.certificate}:/receiver.pem:ro`,
  )
  // The container has its own loopback, on which every port is free.
  await runTour(t, { ...tour, ports: { api: 3000, receiver: 8443 } }, await listdIn(id))
  await healthy(id)
  await docker('stop', '--time', '20', id)
  t.is(await inspect(id, '.State.ExitCode'), '0')
  const log = await docker('logs', id)
  for (const service of ['gateway', 'identity', 'webhook-dispatcher']) {
    t.regex(log, new RegExp(`"service":"${service}".*"event":"service.stopped"`))
  }
})

test('the address and the commands of the banner work outside the container', async (t) => {
  const id = await startImage(t)
  const banner = await docker('logs', id)
  const published = await docker('port', id, '3000')
  t.regex(banner, /API +http:\/\/127\.0\.0\.1:3000\n/)
  const [, shown = ''] = /try it +curl (.*)/.exec(banner) ?? []
  t.is((await fetch(shown.replace('127.0.0.1:3000', published))).status, 200)
  const [, fromOutside] = /prefix each with: (docker exec -it [0-9a-f]{12} env)$/m.exec(banner) ?? []
  const inside = [...banner.matchAll(/LISTD_DATA_DIR=\/data listd .*/g)]
  const [create, token] = inside.map(([command]) => `${fromOutside} ${command}`)
  // A test has no terminal.
  const type = (command = '') => run('sh', ['-c', command.replace('-it', '-i')])
  await type(`echo 'canary horse battery' | ${create} --password-stdin`)
  t.regex((await type(token)).stdout, /^listd_/m)
})

test('the image runs as any user, such as one that a platform chooses, and as a process of the engine', async (t) => {
  const id = await startImage(t, '--user', '12345', '--init')
  await healthy(id)
  t.regex(await docker('exec', id, 'id', '-u'), /^12345$/)
  await docker('exec', id, 'listd', 'doctor')
  await docker('stop', '--time', '20', id)
  t.is(await inspect(id, '.State.ExitCode'), '0')
})

test('the image runs any command, and lists them', async (t) => {
  const output = await docker('run', '--rm', '--network', 'none', ...guarded, image, '--help')
  for (const command of ['start', 'service', 'migrate', 'backup', 'doctor'])
    t.true(output.includes(`\n  ${command} `), command)
})

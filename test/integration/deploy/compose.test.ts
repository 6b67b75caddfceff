import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'yaml'
import { program } from '#services/supervisor/program.ts'
import { inspectNats } from '#shared/bus/inspect.ts'
import { entries } from '#shared/config/entries.ts'
import { envName, fileEnvName } from '#shared/config/sources/env-name.ts'
import { makeSecrets } from '../../support/deploy/compose-secrets.ts'
import { testNats } from '../../support/nats/nats.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const root = join(import.meta.dirname, '../../..')
const text = readFileSync(join(root, 'deploy/compose.yaml'), 'utf8')

type Service = {
  image: string
  command: string[]
  environment: Record<string, string>
  secrets: string[]
  networks: string[]
  depends_on?: Record<string, { condition: string }>
  [setting: string]: unknown
}

const file: { services: Record<string, Service>; secrets: Record<string, { file: string }> } = parse(text, {
  merge: true,
})
const ours = Object.entries(file.services).filter(([name]) => name !== 'postgres' && name !== 'nats')

test('compose runs each service and the migration before them, and no other of our containers', (t) => {
  const commands = Object.fromEntries(ours.map(([name, { command }]) => [name, command]))
  t.deepEqual(commands, {
    migrate: ['migrate'],
    gateway: ['service', 'gateway'],
    identity: ['service', 'identity'],
    'webhook-dispatcher': ['service', 'webhook-dispatcher'],
  })
  t.true(program(process).commands.some((command) => command.name() === 'migrate'))
  for (const [name, { depends_on }] of ours) {
    if (name === 'migrate') t.is(depends_on?.postgres?.condition, 'service_healthy')
    else t.is(depends_on?.migrate?.condition, 'service_completed_successfully', name)
  }
})

test('every container of ours is read-only, without privileges, and has time to drain', (t) => {
  for (const [name, service] of ours) {
    t.like(service, { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }, name)
    t.true(Number.parseInt(String(service.stop_grace_period), 10) > 15, name)
  }
})

test('every variable is a setting, and every secret is a file in the container', (t) => {
  const known = entries.flatMap(({ key }) => [envName(key), fileEnvName(key)])
  const secret = new Set(entries.filter(({ setting }) => setting.secret).map(({ key }) => envName(key)))
  for (const [name, { environment, secrets }] of ours) {
    for (const [variable, value] of Object.entries(environment)) {
      t.true(known.includes(variable), `${name}: ${variable}`)
      t.false(secret.has(variable), `${name}: ${variable} is a secret`)
      const [, mounted] = /^\/run\/secrets\/(.*)$/.exec(value) ?? []
      if (mounted !== undefined) t.true(secrets.includes(mounted), `${name}: ${mounted}`)
    }
    for (const mounted of secrets) t.truthy(file.secrets[mounted], mounted)
  }
})

test('every container restarts, limits its memory as the chart does and its log, and reports its health', (t) => {
  for (const [name, service] of Object.entries(file.services)) {
    t.like(service.logging, { driver: 'json-file', options: { 'max-size': '10m' } }, name)
    t.truthy(service.restart, name)
    t.regex(String(service.mem_limit), /^\d+[mg]$/, name)
    // For services of listd, the image has the health check.
    if (!ours.some(([one]) => one === name)) t.truthy(service.healthcheck, name)
  }
  const values = parse(readFileSync(join(root, 'deploy/helm/listd/values.yaml'), 'utf8'))
  const inChart = { migrate: 'migration', gateway: 'gateway', identity: 'identity', 'webhook-dispatcher': 'dispatcher' }
  for (const [name, group] of Object.entries(inChart)) {
    const limit = values[group].resources.limits.memory.replace('i', '').toLowerCase()
    t.is(file.services[name]?.mem_limit, limit, name)
  }
})

test('Postgres and NATS have full versions', (t) => {
  for (const name of ['postgres', 'nats']) t.regex(file.services[name]?.image ?? '', /:\d+\.\d+[\w.-]*$/)
})

test('services wait until NATS is healthy, and only they may use it', async (t) => {
  for (const [name, { depends_on }] of ours) t.is(depends_on?.nats?.condition, 'service_healthy', name)
  const { command = [] } = file.services.nats ?? {}
  t.true(command.includes('--config=/run/secrets/nats-users') && command.includes('--jetstream'))
  const folder = await testFolder(t)
  await makeSecrets(folder)
  const secret = (name: string) => join(folder, 'deploy/secrets', name)
  const server = new URL((await testNats(t, { config: secret('nats-users') })).url)
  const url = new URL(readFileSync(secret('nats-url'), 'utf8').trim())
  t.is(url.host, 'nats:4222')
  url.host = server.host
  const settings = { name: 'test', prefix: 'listd' }
  t.not((await inspectNats({ ...settings, url: url.href })).freeStorage, null)
  await t.throwsAsync(inspectNats({ ...settings, url: server.href }), { message: 'it rejects the credentials' })
})

test('the gateway, which checks urls, allows the same webhook targets as the dispatcher', (t) => {
  const allowed = (name: string) => file.services[name]?.environment.LISTD_WEBHOOKS_ALLOW_CIDRS
  t.truthy(allowed('gateway'))
  t.is(allowed('gateway'), allowed('webhook-dispatcher'))
})

test('only the gateway and the dispatcher have a network to the outside', (t) => {
  const out = Object.entries(file.services).filter(([, { networks }]) => networks.includes('outside'))
  t.deepEqual(out.map(([name]) => name).sort(), ['gateway', 'webhook-dispatcher'])
})

test('docs/operating.md creates every secret that compose reads', (t) => {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  for (const { file: path } of Object.values(file.secrets)) {
    t.regex(page, new RegExp(`> ${path.replace('./', 'deploy/')}$`, 'm'))
  }
})

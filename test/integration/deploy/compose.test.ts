import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { parse } from 'yaml'
import { program } from '#services/supervisor/program.ts'
import { entries } from '#shared/config/entries.ts'
import { envName, fileEnvName } from '#shared/config/env-name.ts'

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

test('every variable is a setting, and every secret is a file that the container has', (t) => {
  const known = entries.flatMap(({ key }) => [envName(key), fileEnvName(key)])
  const secret = new Set(entries.filter(({ setting }) => setting.secret).map(({ key }) => envName(key)))
  for (const [name, { environment, secrets }] of ours) {
    for (const [variable, value] of Object.entries(environment)) {
      t.true(known.includes(variable), `${name}: ${variable}`)
      t.false(secret.has(variable) && variable !== 'LISTD_NATS_URL', `${name}: ${variable} is a secret`)
      const [, mounted] = /^\/run\/secrets\/(.*)$/.exec(value) ?? []
      if (mounted !== undefined) t.true(secrets.includes(mounted), `${name}: ${mounted}`)
    }
    for (const mounted of secrets) t.truthy(file.secrets[mounted], mounted)
  }
})

test('the gateway, which checks urls, lets webhooks go where the dispatcher does', (t) => {
  const allowed = (name: string) => file.services[name]?.environment.LISTD_WEBHOOKS_ALLOW_CIDRS
  t.truthy(allowed('gateway'))
  t.is(allowed('gateway'), allowed('webhook-dispatcher'))
})

test('only the gateway and the dispatcher have a network that leads out', (t) => {
  const out = Object.entries(file.services).filter(([, { networks }]) => networks.includes('outside'))
  t.deepEqual(out.map(([name]) => name).sort(), ['gateway', 'webhook-dispatcher'])
})

test('docs/operating.md makes every secret that compose reads', (t) => {
  const page = readFileSync(join(root, 'docs/operating.md'), 'utf8')
  for (const { file: path } of Object.values(file.secrets)) {
    t.regex(page, new RegExp(`> ${path.replace('./', 'deploy/')}$`, 'm'))
  }
})

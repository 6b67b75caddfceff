import { readFileSync } from 'node:fs'
import test from 'ava'
import { measureDatabase } from '#shared/ops/measures.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { testListd } from '../../support/processes/listd.ts'

const text = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** Metrics that only a process with a database server has. */
const ofServers = Object.keys(measureDatabase({ connections: () => ({ limit: 0, used: 0, waiting: 0 }) }))

test('metrics follow the conventions of Prometheus, and documents and alerts name existing metrics', async (t) => {
  const ports = await Promise.all(['GATEWAY', 'IDENTITY', 'DISPATCHER'].map(async (name) => [name, await freePort()]))
  await testListd(t, { env: Object.fromEntries(ports.map(([name, port]) => [`LISTD_${name}_OPS_PORT`, `${port}`])) })
  const pages = await Promise.all(
    ports.map(async ([, port]) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  )
  for (const page of pages) {
    t.regex(page, /^listd_database_up\{.*\} 1$/m)
    t.regex(page, /^listd_nats_up\{.*\} 1$/m)
  }
  t.regex(pages.join(''), /^listd_webhook_backlog_ratio\{service="webhook-dispatcher"\} 0$/m)

  const types = new Map(
    pages.flatMap((page) => [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type])),
  )
  for (const [name, type] of types) {
    t.is(name?.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    t.notRegex(name ?? '', /_(ms|milliseconds|minutes|hours|days|kb|mb|kib|mib|percent)(_|$)/, `${name}: base units`)
    if (type === 'histogram') t.regex(name ?? '', /_seconds$/)
    t.true(
      pages.some((page) => new RegExp(`^# HELP ${name} \\S`, 'm').test(page)),
      `${name} has a help text`,
    )
  }

  const measured = [...types.keys(), ...ofServers]
  const named = (page: string, form: RegExp) => new Set([...page.matchAll(form)].map(([, name]) => name))
  const documented = named(text('docs/operating.md'), /`((?:listd|nodejs|process)_[a-z_]+)`/g)
  const own = measured.filter((name) => name?.startsWith('listd_'))
  t.deepEqual(
    own.filter((name) => !documented.has(name)),
    [],
    'not documented',
  )
  t.deepEqual(
    [...documented].filter((name) => !measured.includes(name)),
    [],
    'documented',
  )
  const alerted = named(
    text('deploy/helm/listd/templates/monitoring.yaml'),
    /\b((?:listd|nodejs|process)_\w+?)(?:_bucket|_count|_sum)?\{/g,
  )
  t.true(alerted.size > 5)
  t.deepEqual(
    [...alerted].filter((name) => !measured.includes(name)),
    [],
    'alerted',
  )
  t.deepEqual(
    [...named(text('docs/logging.md'), /`(listd_[a-z_]+)`/g)].filter((name) => !measured.includes(name)),
    [],
  )
})

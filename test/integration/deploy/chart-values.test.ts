import { readFileSync, writeFileSync } from 'node:fs'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { isMap, isScalar, type Pair, parse, parseDocument, type YAMLMap } from 'yaml'
import { type Entry, entries } from '#shared/config/entries.ts'
import { planIdForm, startingPlan } from '#shared/config/plans.ts'
import { planLimits } from '#shared/domain/plan/plan.ts'
import { chart, oldestKubernetes, renderChart, required, type Values } from '../../support/deploy/helm.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const defaults: Record<string, unknown> = JSON.parse(readFileSync(join(chart, '../../../config/default.json'), 'utf8'))

type Row = { key: string; value: unknown; about: string }

/** Every value with a comment above it in values.yaml; a key without a comment is a group of values. */
function rowsOf(map: YAMLMap, prefix = ''): Row[] {
  return map.items.flatMap((pair) => {
    const { key, value } = pair as Pair<
      { value: string; commentBefore?: string | null },
      { commentBefore?: string | null }
    >
    const name = `${prefix}${key.value}`
    const about = (key.commentBefore ?? (pair === map.items[0] ? map.commentBefore : null))?.trim()
    if (about) return [{ key: name, value: isMap(value) || !isScalar(value) ? toPlain(value) : value.value, about }]
    if (isMap(value)) return rowsOf(value, `${name}.`)
    throw new Error(`values.yaml says nothing about ${name}`)
  })
}

const toPlain = (node: unknown): unknown => JSON.parse(JSON.stringify(node))

function tableOfValues(): string {
  const document = parseDocument(readFileSync(join(chart, 'values.yaml'), 'utf8'))
  const rows = rowsOf(document.contents as YAMLMap)
  const lines = rows.map(
    ({ key, value, about }) => `| \`${key}\` | \`${JSON.stringify(value)}\` | ${about.replaceAll('\n', ' ')} |`,
  )
  return ['| value | default | what it is |', '|---|---|---|', ...lines, ''].join('\n')
}

/** Whether this run writes the table and the schema before it compares them. */
const updates = process.env.TEST_UPDATE_FIXTURES === '1'

test('the README of the chart describes every value with its default', (t) => {
  const file = join(chart, 'README.md')
  const table = tableOfValues()
  const text = readFileSync(file, 'utf8')
  const there = /^\| value \|[\s\S]*?\n(?!\|)/m.exec(text)?.[0].trimEnd() ?? ''
  if (updates)
    writeFileSync(
      file,
      text.replace(there, () => table.trimEnd()),
    )
  t.is(updates ? table.trimEnd() : there, table.trimEnd(), 'run this test with TEST_UPDATE_FIXTURES=1')
})

/** Settings that the chart sets itself, from its values or because of how pods run. */
const decided = [
  'dataDir',
  'gateway.host',
  'gateway.port',
  'gateway.publicUrl',
  'gateway.opsPort',
  'identity.opsPort',
  'dispatcher.opsPort',
  'ops.host',
  'database.url',
  'database.caFile',
  'nats.url',
  'nats.serverPath',
  'nats.credsFile',
  'admin.email',
  'admin.password',
  'secrets.masterKey',
  'webhooks.caFile',
]

type Schema = { [keyword: string]: unknown; properties?: Record<string, Schema> }

/** The schema of a price plan, with the limits from `planLimits`. */
function schemaOfPlan(): Schema {
  const limits = Object.entries(planLimits).map(([name, [minimum, maximum]]) => {
    const bound = maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }
    return [name, { type: ['integer', 'null'], minimum, ...bound }]
  })
  const { maxRequestsPerMinute } = Object.fromEntries(limits)
  const perIdentity = {
    type: ['object', 'null'],
    additionalProperties: false,
    required: ['maxRequestsPerMinute'],
    properties: { maxRequestsPerMinute: { ...maxRequestsPerMinute, type: 'integer' } },
  }
  const properties = { name: { type: 'string', minLength: 1 }, ...Object.fromEntries(limits), perIdentity }
  return { type: 'object', additionalProperties: false, required: ['name'], properties }
}

/** The schema of the price plans, by their ids. */
const schemaOfPlans = {
  type: 'object',
  required: [startingPlan],
  propertyNames: { pattern: planIdForm.source },
  additionalProperties: schemaOfPlan(),
}

/** The schema of `config`: every setting that the chart does not set, with its rule as far as a schema can express it. */
function schemaOfConfig(): Schema {
  const schema: Schema = { type: 'object', additionalProperties: false, properties: {} }
  for (const entry of entries.filter(({ key }) => !decided.includes(key))) {
    const names = entry.key.split('.')
    let at = schema
    for (const name of names.slice(0, -1)) at = propertiesOf(at, name)
    Object.assign(at.properties ?? {}, { [names.at(-1) ?? '']: schemaOf(entry) })
  }
  return schema
}

function propertiesOf(schema: Schema, name: string): Schema {
  schema.properties ??= {}
  schema.properties[name] ??= { type: 'object', additionalProperties: false, properties: {} }
  return schema.properties[name]
}

function schemaOf({ key, setting }: Entry): Schema {
  const { must } = setting.rule
  const described = { description: `${setting.about} Must be ${must}.` }
  const [, min, max] = /^a whole number from (\d+) to (\d+)$/.exec(must) ?? []
  if (min !== undefined) return { ...described, type: 'integer', minimum: Number(min), maximum: Number(max) }
  const [, choices] = /^one of (.*)$/.exec(must) ?? []
  if (choices !== undefined) return { ...described, enum: choices.split(', ') }
  if (key === 'plans') return { ...described, ...schemaOfPlans }
  const value = key.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], defaults)
  if (!Array.isArray(value)) return { ...described, type: typeof value }
  return { ...described, type: 'array', items: { type: typeof value[0] === 'number' ? 'number' : 'string' } }
}

test('the schema of values has every setting of listd that the chart does not decide', (t) => {
  const file = join(chart, 'values.schema.json')
  const schema: { properties: Record<string, Schema> } = JSON.parse(readFileSync(file, 'utf8'))
  if (updates) {
    schema.properties.config = schemaOfConfig()
    writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`)
  }
  t.deepEqual(schema.properties.config, schemaOfConfig(), 'run this test with TEST_UPDATE_FIXTURES=1')
})

const wrong: [values: Values, message: RegExp][] = [
  [{}, /database\.secretName must name the Secret/],
  [{ ...required, masterKey: {} }, /masterKey\.secretName must name the Secret/],
  [{ ...required, nats: {} }, /nats\.url must be the URL of the NATS server/],
  [{ ...required, nats: { url: 'nats://a:4222', secretName: 'nats' } }, /nats\.url and nats\.secretName must not both/],
  [{ ...required, nats: { url: 'nats://ada:secret@a:4222' } }, /nats\.url must not contain a password/],
  [{ ...required, nats: { url: 'http://a:4222' } }, /nats\.url: Does not match pattern/],
  [{ ...required, admin: { email: 'ada@example.com' } }, /admin\.email and admin\.secretName belong together/],
  [
    { ...required, database: { secretName: 'db', caSecretName: 'ca' } },
    /database\.caSecretName needs config\.database\.tls/,
  ],
  [{ ...required, ingress: { enabled: true } }, /ingress\.host must be the host name/],
  [{ ...required, ingress: { enabled: true, host: '*.example.com' } }, /gateway\.publicUrl must be the address/],
  [{ ...required, httpRoute: { enabled: true } }, /httpRoute\.parentRefs must name the Gateways/],
  [
    { ...required, httpRoute: { enabled: true, parentRefs: [{ name: 'public' }] } },
    /gateway\.publicUrl must be the address/,
  ],
  [{ ...required, httpRoute: { enabled: true, parentRefs: [{}] } }, /httpRoute\.parentRefs\.0: name is required/],
  [{ ...required, pods: { sidecars: [{ name: 'proxy' }] } }, /pods\.sidecars needs Kubernetes 1\.29/],
  [{ ...required, pods: { extraEnv: [{ name: 'LISTD_DATA_DIR', value: '/' }] } }, /must not have LISTD_DATA_DIR/],
  [{ ...required, migration: { activeDeadlineSeconds: 0 } }, /migration\.activeDeadlineSeconds: Must be greater/],
  [{ ...required, opsPort: 3000 }, /gateway\.port and opsPort must differ/],
  [
    { ...required, gateway: { autoscaling: { minReplicas: 9 } } },
    /gateway\.autoscaling\.minReplicas must not be greater/,
  ],
  [
    { ...required, identity: { autoscaling: { enabled: true }, resources: { requests: { cpu: null } } } },
    /identity\.resources\.requests\.cpu must be set while identity\.autoscaling is enabled/,
  ],
  [{ ...required, pods: { labels: { 'app.kubernetes.io/name': 'mine' } } }, /pods\.labels: Property name of/],
  [{ ...required, fullnameOverride: 'Lists' }, /fullnameOverride: Does not match pattern/],
  [{ ...required, ingress: null }, /\(root\): ingress is required/],
  [{ ...required, gateway: { replicas: 'two' } }, /gateway\.replicas: Invalid type\. Expected: integer, given: string/],
  [{ ...required, gateway: { replica: 2 } }, /gateway: Additional property replica is not allowed/],
  [{ ...required, config: { database: { pools: 5 } } }, /config\.database: Additional property pools is not allowed/],
  [
    { ...required, config: { webhooks: { timeoutMs: 1 } } },
    /config\.webhooks\.timeoutMs: Must be greater than or equal to 10/,
  ],
  [
    { ...required, config: { plans: { scale: { name: 'S', maxFlow: 3 } } } },
    /config\.plans\.scale: Additional property maxFlow is not allowed/,
  ],
  [{ ...required, config: { gateway: { port: 80 } } }, /config\.gateway: Additional property port is not allowed/],
  [{ ...required, config: { secrets: { masterKey: 'x' } } }, /config: Additional property secrets is not allowed/],
  [
    { ...required, identity: { resources: { limits: { memory: null } } } },
    /identity\.resources\.limits: memory is required/,
  ],
  [
    { ...required, networkPolicy: { database: { to: [{}] } } },
    /networkPolicy\.database\.to\.0: Must have at least 1 properties/,
  ],
]

test('an older Kubernetes is rejected, and the README names the oldest', async (t) => {
  await t.notThrowsAsync(renderChart(t, required, { kubeVersion: `v${oldestKubernetes}-eks-1` }))
  await t.throwsAsync(renderChart(t, required, { kubeVersion: '1.22.17' }), {
    message: /requires kubeVersion: >=1\.23/,
  })
  t.true(
    readFileSync(join(chart, 'README.md'), 'utf8').includes(`Kubernetes ${oldestKubernetes.slice(0, -2)} or\nlater`),
  )
})

test('wrong values are rejected with a sentence that names them', async (t) => {
  for (const [values, message] of wrong) {
    const error = await t.throwsAsync(renderChart(t, values), undefined, message.source)
    t.regex(error?.message ?? '', message)
  }
})

test('the chart that brings NATS configures its address in listd', async (t) => {
  const folder = join(await testFolder(t), 'listd-with-nats')
  await cp(join(chart, '../listd-with-nats'), folder, { recursive: true })
  await cp(chart, join(folder, 'charts/listd'), { recursive: true })
  // The chart of NATS comes from its registry, and without it helm renders nothing.
  const file = join(folder, 'Chart.yaml')
  const { dependencies, ...about } = parse(readFileSync(file, 'utf8'))
  t.like(dependencies[1], { name: 'nats', condition: 'nats.enabled' })
  await writeFile(file, JSON.stringify({ ...about, dependencies: dependencies.slice(0, 1) }))
  const { nats: _url, ...ours } = required
  const objects = await renderChart(t, { listd: ours }, { folder })
  const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'))
  const { nats, listd } = parse(readFileSync(join(folder, 'values.yaml'), 'utf8'))
  const { sources } = gateway?.spec.template.spec.volumes[1].projected ?? {}
  t.true(sources.some(({ secret }: { secret: { name: string } }) => secret.name === listd.nats.secretName))
  t.is(nats.fullnameOverride, 'listd-nats', 'README.md names it as the host')
  t.true(nats.config.jetstream.enabled)
  t.deepEqual(nats.config.merge.authorization, { user: 'listd', password: '<< $NATS_PASSWORD >>' })
  t.like(nats.container.env.NATS_PASSWORD.valueFrom.secretKeyRef, { name: listd.nats.secretName, key: 'password' })
})

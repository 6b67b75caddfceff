import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { entries } from '#shared/config/entries.ts'
import { configFileVariable, envName, fileEnvName } from '#shared/config/sources/env-name.ts'
import { readConfigFile } from '#shared/config/sources/from-file.ts'
import { chart, type KubeObject, lintChart, renderChart, required } from '../../support/deploy/helm.ts'
import { typeErrors } from '../../support/deploy/type-check.ts'
import { valueSets } from '../../support/deploy/value-sets.ts'
import { testFolder } from '../../support/test-context/folder.ts'
import { shared } from '../../support/test-context/shared.ts'

const rendered = shared(async (t) => {
  const names = Object.keys(valueSets)
  const sets = await Promise.all(Object.values(valueSets).map((values) => renderChart(t, values)))
  return new Map(names.map((name, n) => [name, sets[n] ?? []]))
})

/** Runs the same test on what the chart renders from each set of values. */
function eachSet(title: string, check: (t: ExecutionContext, objects: readonly KubeObject[]) => void | Promise<void>) {
  for (const name of Object.keys(valueSets)) {
    test(`with ${name}, ${title}`, (t) => check(t, rendered().get(name) ?? []))
  }
}

const ofKind = (objects: readonly KubeObject[], ...kinds: string[]) =>
  objects.filter(({ kind }) => kinds.includes(kind))
const workloads = (objects: readonly KubeObject[]) => ofKind(objects, 'Deployment', 'Job')
const podOf = (workload: KubeObject) => workload.spec.template
const containerOf = (workload: KubeObject) => podOf(workload).spec.containers[0]
const named = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name)

test('helm lint reports nothing', async (t) => {
  for (const values of [{}, ...Object.values(valueSets)]) t.regex(await lintChart(t, values), /0 chart\(s\) failed/)
})

/** APIs of the Prometheus operator and of the Gateway API, which not every cluster has. */
const isExtension = /^(monitoring\.coreos\.com|gateway\.networking\.k8s\.io)\//

test('Kubernetes knows every object, field by field', async (t) => {
  const known = [...rendered().values()].flat().filter(({ apiVersion }) => !isExtension.test(apiVersion))
  t.is(await typeErrors(t, known), '')
  const [service] = known.filter(({ kind }) => kind === 'Service')
  t.truthy(service)
  t.regex(await typeErrors(t, [{ ...(service as KubeObject), spec: { port: 1 } }]), /"port"' does not exist in type/)
})

eachSet('no two objects have the same kind and name, and every name is short enough', (t, objects) => {
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
  t.deepEqual(names, [...new Set(names)])
  for (const { metadata } of objects) t.true(metadata.name.length <= 63, metadata.name)
})

eachSet(
  'every pod runs as an ordinary user, writes nowhere but to /tmp, and knows nothing of the cluster',
  (t, objects) => {
    t.is(workloads(objects).length, 4)
    for (const workload of workloads(objects)) {
      const { spec } = podOf(workload)
      t.like(spec, { automountServiceAccountToken: false, enableServiceLinks: false })
      t.like(spec.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      t.true(spec.securityContext.runAsUser > 0)
      t.is(spec.containers.length, 1)
      t.deepEqual(containerOf(workload).securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const writable = spec.volumes.filter((volume: { emptyDir?: unknown }) => volume.emptyDir !== undefined)
      const mounts: { name: string; mountPath: string; readOnly?: boolean }[] = containerOf(workload).volumeMounts
      t.deepEqual(
        mounts.filter(({ readOnly }) => !readOnly).map(({ name, mountPath }) => [name, mountPath]),
        writable.map(({ name }: { name: string }) => [name, '/tmp']),
      )
      const account = named(objects, 'ServiceAccount', spec.serviceAccountName)
      t.is(account?.automountServiceAccountToken, false)
    }
  },
)

eachSet('every container has a memory limit and requests CPU and memory', (t, objects) => {
  for (const workload of workloads(objects)) {
    const { requests, limits } = containerOf(workload).resources
    t.truthy(requests.cpu && requests.memory && limits.memory, workload.metadata.name)
  }
})

eachSet('every service is probed on its port for health and metrics, and drains before it is killed', (t, objects) => {
  for (const deployment of ofKind(objects, 'Deployment')) {
    const container = containerOf(deployment)
    t.is(container.startupProbe.httpGet.path, '/health/live')
    t.is(container.livenessProbe.httpGet.path, '/health/live')
    t.is(container.readinessProbe.httpGet.path, '/health/ready')
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      t.is(container[probe].httpGet.port, 'ops')
      t.true(container[probe].timeoutSeconds > 2, 'a check of readiness itself may take 2 seconds')
    }
    const [, preStopSeconds] = container.lifecycle.preStop.exec.command
    t.true(podOf(deployment).spec.terminationGracePeriodSeconds > Number(preStopSeconds) + 10)
    t.like(deployment.spec.strategy.rollingUpdate, { maxUnavailable: 0 })
  }
})

eachSet('every variable is a setting, and listd can read the file of settings', async (t, objects) => {
  const secrets = new Set(entries.filter(({ setting }) => setting.secret).map(({ key }) => envName(key)))
  const known = [configFileVariable, ...entries.flatMap(({ key }) => [envName(key), fileEnvName(key)])]
  const folder = await testFolder(t)
  for (const workload of workloads(objects)) {
    for (const { name, value } of containerOf(workload).env) {
      t.true(known.includes(name), name)
      t.is(typeof value, 'string', name)
      // The URL of NATS is not a secret here, because it has no password.
      if (name !== 'LISTD_NATS_URL') t.false(secrets.has(name), `${name} is a secret`)
    }
    const [{ configMap }] = podOf(workload).spec.volumes
    const file = join(folder, 'listd.json')
    await writeFile(file, named(objects, 'ConfigMap', configMap.name)?.data['listd.json'])
    t.deepEqual(readConfigFile(file, 'listd.json').errors, [])
  }
})

eachSet('every service and the migration, which names those that run, know where NATS is', (t, objects) => {
  for (const workload of workloads(objects)) {
    const names: string[] = containerOf(workload).env.map(({ name }: { name: string }) => name)
    t.is(names.filter((name) => ['LISTD_NATS_URL', 'LISTD_NATS_URL_FILE'].includes(name)).length, 1)
  }
})

eachSet('secrets are only referred to, and every file that a variable names is mounted', (t, objects) => {
  t.deepEqual(ofKind(objects, 'Secret'), [])
  for (const workload of workloads(objects)) {
    const [, { projected }] = podOf(workload).spec.volumes
    const items = projected.sources.flatMap((source: { secret: { items: { path: string }[] } }) => source.secret.items)
    const mounted = items.map(({ path }: { path: string }) => `/etc/listd/secrets/${path}`)
    const env: { name: string; value: string }[] = containerOf(workload).env
    const files = env.filter(({ name }) => name.endsWith('_FILE')).map(({ value }) => value)
    t.deepEqual(files.sort(), mounted.sort())
  }
})

eachSet('every selector of pods selects those of exactly one Deployment', (t, objects) => {
  const pods = workloads(objects).map((workload) => podOf(workload).metadata.labels)
  const selectors = [
    ...ofKind(objects, 'Deployment', 'PodDisruptionBudget').map(({ spec }) => spec.selector.matchLabels),
    ...ofKind(objects, 'Service').map(({ spec }) => spec.selector),
    ...ofKind(objects, 'NetworkPolicy').map(({ spec }) => spec.podSelector.matchLabels),
    ...ofKind(objects, 'Deployment').flatMap((deployment) =>
      podOf(deployment).spec.topologySpreadConstraints.map(
        ({ labelSelector }: { labelSelector: { matchLabels: object } }) => labelSelector.matchLabels,
      ),
    ),
  ]
  for (const selector of selectors) {
    const found = pods.filter((labels) => Object.entries(selector).every(([name, value]) => labels[name] === value))
    t.is(found.length, 1, JSON.stringify(selector))
  }
  for (const { spec } of ofKind(objects, 'HorizontalPodAutoscaler')) {
    const deployment = named(objects, 'Deployment', spec.scaleTargetRef.name)
    t.truthy(deployment)
    t.is(deployment?.spec.replicas, undefined, 'an upgrade would undo what the autoscaler has set')
  }
})

eachSet('every port has the number or name of a port that a container opens', (t, objects) => {
  for (const deployment of ofKind(objects, 'Deployment')) {
    const { env, ports } = containerOf(deployment)
    const settings = new Map(env.map(({ name, value }: { name: string; value: string }) => [name, value]))
    const group = /-(gateway|identity|dispatcher)$/.exec(deployment.metadata.name)?.[1] ?? ''
    for (const { name, containerPort } of ports) {
      const setting = envName(name === 'ops' ? `${group}.opsPort` : `${group}.port`)
      t.is(settings.get(setting), String(containerPort), setting)
    }
    t.is(settings.get('LISTD_OPS_HOST'), '', 'probes come from other machines')
  }
  const portsOf = (selector: Record<string, string>) =>
    ofKind(objects, 'Deployment')
      .filter((deployment) => podOf(deployment).metadata.labels[component] === selector[component])
      .flatMap((deployment) => containerOf(deployment).ports.map(({ name }: { name: string }) => name))
  for (const { spec } of ofKind(objects, 'Service')) {
    for (const { targetPort } of spec.ports) t.true(portsOf(spec.selector).includes(targetPort))
  }
  for (const { spec } of ofKind(objects, 'NetworkPolicy')) {
    const ports = (spec.ingress ?? []).flatMap((rule: { ports: { port: string }[] }) => rule.ports)
    for (const { port } of ports) t.true(portsOf(spec.podSelector.matchLabels).includes(port))
  }
  for (const { spec } of ofKind(objects, 'Ingress')) {
    const { name, port } = spec.rules[0].http.paths[0].backend.service
    t.true(named(objects, 'Service', name)?.spec.ports.some((one: { name: string }) => one.name === port.name))
  }
  for (const { spec } of ofKind(objects, 'HTTPRoute')) {
    const [{ name, port }] = spec.rules[0].backendRefs
    t.true(named(objects, 'Service', name)?.spec.ports.some((one: { port: number }) => one.port === port))
  }
})

const component = 'app.kubernetes.io/component'

eachSet('the migration is a hook, and everything that it needs is an earlier hook', (t, objects) => {
  const [job] = ofKind(objects, 'Job') as [KubeObject]
  const { spec } = podOf(job)
  const weightOf = (object: KubeObject | undefined) => Number(object?.metadata.annotations?.['helm.sh/hook-weight'])
  t.is(job.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
  t.true(job.spec.activeDeadlineSeconds >= 3600)
  const needed = [
    named(objects, 'ServiceAccount', spec.serviceAccountName),
    named(objects, 'ConfigMap', spec.volumes[0].configMap.name),
    ...ofKind(objects, 'NetworkPolicy').filter(({ spec }) => spec.podSelector.matchLabels[component] === 'migrate'),
  ]
  for (const object of needed) {
    t.is(object?.metadata.annotations?.['helm.sh/hook'], 'pre-install,pre-upgrade')
    t.true(weightOf(object) < weightOf(job))
  }
})

test('selectors stay unchanged across upgrades, because Kubernetes does not change them', async (t) => {
  const folder = join(await testFolder(t), 'listd')
  await cp(chart, folder, { recursive: true })
  const file = join(folder, 'Chart.yaml')
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/(ersion): 0.*/g, '$1: 99.0.0'))
  const next = {
    ...required,
    image: { tag: 'next' },
    pods: { labels: { team: 'other' } },
    config: { database: { pool: 5 } },
  }
  const [before, after] = await Promise.all([renderChart(t, required), renderChart(t, next, { folder })])
  for (const objects of [before, after]) {
    t.deepEqual(
      ofKind(objects, 'Deployment').map(({ metadata, spec }) => [metadata.name, spec.selector.matchLabels]),
      ['gateway', 'identity', 'webhook-dispatcher'].map((name) => [
        `shop-listd-${name}`,
        {
          'app.kubernetes.io/name': 'listd',
          'app.kubernetes.io/instance': 'shop',
          'app.kubernetes.io/component': name,
        },
      ]),
    )
  }
  const checksums = (objects: readonly KubeObject[]) =>
    ofKind(objects, 'Deployment').map((one) => podOf(one).metadata.annotations['checksum/config'])
  t.not(checksums(before)[0], checksums(after)[0], 'pods restart when the configuration changes')
})

test('whatever the name of the release, names are texts and short enough', async (t) => {
  for (const release of ['1e3', 'a'.repeat(53)]) {
    const objects = await renderChart(t, { ...required, prometheusRule: { enabled: true } }, { release })
    for (const { metadata } of objects) {
      t.is(typeof metadata.name, 'string')
      t.true(metadata.name.length <= 63, metadata.name)
      t.is(metadata.labels['app.kubernetes.io/instance'], release)
    }
  }
})

test('a platform may choose the user of the pods', async (t) => {
  const objects = await renderChart(t, { ...required, pods: { userId: null } })
  for (const workload of workloads(objects)) {
    t.deepEqual(Object.keys(podOf(workload).spec.securityContext), ['runAsNonRoot', 'seccompProfile'])
  }
})

test('each alert says what is wrong and what to check', async (t) => {
  const [rule] = ofKind(await renderChart(t, { ...required, prometheusRule: { enabled: true } }), 'PrometheusRule')
  const alerts: { alert: string; expr: string; annotations: Record<string, string> }[] = rule?.spec.groups[0].rules
  t.true(alerts.length >= 5)
  for (const { expr, annotations } of alerts) {
    t.truthy(expr)
    t.truthy(annotations.summary && annotations.description)
  }
  // Dispatchers delete in turn, so one may have deleted what another still reports.
  const { expr = '' } = alerts.find(({ alert }) => alert === 'ListdRetentionIsBehind') ?? {}
  t.deepEqual(expr.match(/\w+(?=\(listd_retention_)/g), ['min', 'min', 'min'])
})

test('each alert links to the section of docs/operating.md that has its name', async (t) => {
  const runbook = 'https://wiki.example.com/listd'
  const objects = await renderChart(t, { ...required, prometheusRule: { enabled: true, runbook } })
  const alerts: { alert: string; annotations: { runbook_url: string } }[] = ofKind(objects, 'PrometheusRule')[0]?.spec
    .groups[0].rules
  for (const { alert, annotations } of alerts) t.is(annotations.runbook_url, `${runbook}#${alert.toLowerCase()}`)
})

test('sidecars start before listd and run next to the migration, and end on their own', async (t) => {
  const values = { ...required, pods: { sidecars: [{ name: 'proxy', image: 'proxy:1', args: ['--port', '5432'] }] } }
  const objects = await renderChart(t, values, { kubeVersion: '1.29.0' })
  for (const workload of workloads(objects)) {
    const { initContainers, containers } = podOf(workload).spec
    t.deepEqual(initContainers, [
      { name: 'proxy', image: 'proxy:1', args: ['--port', '5432'], restartPolicy: 'Always' },
    ])
    t.is(containers.length, 1)
  }
  t.is(await typeErrors(t, workloads(objects)), '')
})

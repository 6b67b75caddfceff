import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { until } from '../assertions/until.ts'
import type { TestProcess } from '../processes/process.ts'
import { testFolder } from '../test-context/folder.ts'
import {
  execCommand,
  firstProcess,
  imageSettings,
  type Mount,
  startContainer,
  userId,
  writableFolder,
} from './container.ts'
import type { KubeObject } from './helm.ts'

const run = promisify(execFile)

/** The resources that a cluster provides for its pods: the image, the secrets by name, and the objects that were applied with the pod. */
export type Cluster = {
  image: string
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>
  objects: readonly KubeObject[]
}

/** The only container of a pod of a Deployment or Job, run as the chart defines it: command, variables, mounts and probes. */
export type Pod = {
  process: TestProcess
  env: Readonly<Record<string, string>>
  /** Resolves when the probe has succeeded. */
  passes(probe: 'startupProbe' | 'livenessProbe' | 'readinessProbe'): Promise<void>
  /** The program and its arguments that run a command in the pod. */
  exec(command: readonly string[]): [string, ...string[]]
  /** Deletes the pod: the preStop hook, then SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
}

export async function startPod(t: ExecutionContext, cluster: Cluster, workload: KubeObject): Promise<Pod> {
  const { spec } = workload.spec.template
  const [container] = spec.containers
  if (spec.securityContext.runAsUser !== userId) throw new Error('the pod runs as another user than the image')
  const env: Record<string, string> = { ...imageSettings.env }
  for (const { name, value } of container.env) env[name] = value
  const command = [...container.command, ...container.args]
  const mounts = await mountsOf(t, cluster, workload)
  const process_ = await startContainer(t, { image: cluster.image, command, mounts, env })
  const exec = (asked: readonly string[]) => execCommand(process_.pid, asked)
  return {
    process: process_,
    env,
    exec,
    passes: (probe) => passes(container, probe, process_),
    async stop() {
      const [program, ...args] = exec(container.lifecycle.preStop.exec.command)
      await run(program, args, { env })
      process.kill(firstProcess(process_.pid), 'SIGTERM')
      return (await process_.ended).code
    },
  }
}

type Probed = {
  ports: { name: string; containerPort: number }[]
  [probe: string]: unknown
}

async function passes(container: Probed, name: string, { ended, stderr }: TestProcess): Promise<void> {
  const { httpGet } = container[name] as { httpGet: { path: string; port: string } }
  const port = container.ports.find((one) => one.name === httpGet.port)?.containerPort
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  const ask = () =>
    fetch(`http://127.0.0.1:${port}${httpGet.path}`).then(
      ({ ok }) => ok || hasEnded,
      () => hasEnded,
    )
  await until(ask, { withinMs: 60_000, what: `${name} to succeed` })
  if (hasEnded) throw new Error(`the pod has ended: ${stderr()}`)
}

type Volume = {
  name: string
  emptyDir?: object
  configMap?: { name: string }
  projected?: { defaultMode: number; sources: { secret: { name: string; items: { key: string; path: string }[] } }[] }
}

async function mountsOf(t: ExecutionContext, cluster: Cluster, workload: KubeObject): Promise<Mount[]> {
  const { spec } = workload.spec.template
  const mounts: { name: string; mountPath: string; readOnly?: boolean }[] = spec.containers[0].volumeMounts
  const volumes: Volume[] = spec.volumes
  return Promise.all(
    mounts.map(async ({ name, mountPath, readOnly = false }) => {
      const volume = volumes.find((one) => one.name === name)
      if (!volume) throw new Error(`the pod has no volume ${name}`)
      return { source: await folderOf(t, cluster, volume), target: mountPath, readOnly }
    }),
  )
}

async function folderOf(t: ExecutionContext, cluster: Cluster, volume: Volume): Promise<string> {
  if (volume.emptyDir) return writableFolder(t)
  const folder = join(await testFolder(t), 'volume')
  await mkdir(folder)
  await chmod(folder, 0o755)
  if (volume.configMap) {
    const { name } = volume.configMap
    const map = cluster.objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
    for (const [file, text] of Object.entries<string>(map?.data)) await writeFile(join(folder, file), text)
  }
  for (const { secret } of volume.projected?.sources ?? []) {
    for (const { key, path } of secret.items) {
      const value = cluster.secrets[secret.name]?.[key]
      if (value === undefined) throw new Error(`there is no secret ${secret.name} with the key ${key}`)
      await writeFile(join(folder, path), value)
      // Kubernetes gives the files of a volume to the group of the pod.
      await chown(join(folder, path), 0, userId)
      await chmod(join(folder, path), volume.projected?.defaultMode ?? 0o644)
    }
  }
  return folder
}

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Teardown } from '../test-context/teardown.ts'
import type { KubeObject } from './helm.ts'

const modules = join(import.meta.dirname, '../../../node_modules')

/** The packages with the types of the objects; no package has those of the Prometheus operator. */
const places: Readonly<Record<string, string>> = {
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'batch/v1': 'batch/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
  v1: 'core/v1',
}

/**
 * The errors of the TypeScript compiler for objects, as literals of the types that are generated from the API of Kubernetes: a literal
 * may have no field that its type does not have.
 */
export async function typeErrors(t: Teardown, objects: readonly KubeObject[]): Promise<string> {
  await mkdir(join(modules, '.cache'), { recursive: true })
  // Below the packages, so that the compiler finds the types.
  const folder = await mkdtemp(join(modules, '.cache/listd-objects-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'objects.ts')
  await writeFile(file, objects.map(literal).join('\n'))
  const options = ['--noEmit', '--strict', '--module', 'esnext', '--moduleResolution', 'bundler', '--ignoreConfig']
  return new Promise((resolve) => {
    execFile(join(modules, '.bin/tsc'), [...options, file], (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}

function literal({ apiVersion, kind, ...rest }: KubeObject, n: number): string {
  const place = places[apiVersion]
  if (place === undefined) throw new Error(`the test does not know the types of ${apiVersion}`)
  const object = JSON.stringify({ apiVersion, kind, ...rest }, null, 2)
  return `export const object${n}: import('kubernetes-types/${place}').${kind} = ${object}`
}

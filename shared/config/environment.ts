import { delimiter } from 'node:path'
import { envName, fileEnvName, isOurs } from './env-name.ts'
import type { Env } from './from-env.ts'

/**
 * The environment of a child process that is to read some secrets from files.
 * @param secretFiles path of the file by key: `{'nats.url': '/…/nats-url'}`
 */
export function environmentWithFiles(secretFiles: Readonly<Record<string, string>>, env: Env = process.env): Env {
  const changed = { ...env }
  for (const [key, path] of Object.entries(secretFiles)) {
    delete changed[envName(key)]
    changed[fileEnvName(key)] = path
  }
  return changed
}

/** The environment for a program that is none of ours: without our settings, which may be secret. */
export function foreignEnvironment(env: Env = process.env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isOurs(name)))
}

/** The folders that programs are looked for in. */
export function searchPath(env: Env = process.env): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

/**
 * Gives this process as many threads for all that does not run on its event loop, unless its environment says how many.
 * It counts only before the first of them is used.
 */
export function setThreadPoolSize(count: number): void {
  process.env.UV_THREADPOOL_SIZE ??= `${count}`
}

import { delimiter } from 'node:path'
import { envName, fileEnvName, isListdVariable } from './sources/env-name.ts'
import type { Env } from './sources/from-env.ts'
import type { GivenSetting } from './sources/from-options.ts'

/**
 * The environment of a child process that reads some secrets from files.
 * @param secretFiles paths of the files by key: `{'nats.url': '/…/nats-url'}`
 */
export function environmentWithFiles(secretFiles: Readonly<Record<string, string>>, env: Env): Env {
  const changed = { ...env }
  for (const [key, path] of Object.entries(secretFiles)) {
    delete changed[envName(key)]
    changed[fileEnvName(key)] = path
  }
  return changed
}

/** The environment of a child process that has the settings which options gave this one. */
export function environmentWithGiven(given: readonly GivenSetting[], env: Env): Env {
  return { ...env, ...Object.fromEntries(given.map(({ key, text }) => [envName(key), text])) }
}

/** The environment for other programs: without our settings, which may be secret. */
export function foreignEnvironment(env: Env = process.env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isListdVariable(name)))
}

/** Whether the person at a terminal wants colors (https://no-color.org). */
export function allowsColors(env: Env = process.env): boolean {
  return !env.NO_COLOR && env.TERM !== 'dumb'
}

/** The directories on PATH. */
export function searchPath(env: Env = process.env): string[] {
  return (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
}

/**
 * Sets the size of libuv's thread pool unless the environment does. Has an effect only before the pool is first used.
 */
export function setThreadPoolSize(count: number): void {
  process.env.UV_THREADPOOL_SIZE ??= `${count}`
}

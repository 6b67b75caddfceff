import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { testBackend } from '../../../test/support/databases/database.ts'
import { until } from '../clock.ts'

/** The activity of a process since its start. */
export type Observation = {
  /** SQL statements, and ways to the database and back: statements that are sent together share one. */
  statements: number
  trips: number
  /** Messages sent to NATS and received from it. */
  messages: number
  /** On the heap of JavaScript. */
  allocatedBytes: number
  /** The main thread's time for garbage collection, in microseconds. */
  gcMicros: number
}

/**
 * Settings with which listd's processes are observed, through files in `folder`.
 * @param options.profile whether each process writes a `<pid>.cpuprofile` of the time between two observations
 */
export function observing(folder: string, { profile = false } = {}): Record<string, string> {
  const module = new URL(`file://${join(import.meta.dirname, 'observed-process.ts')}`)
  module.searchParams.set('folder', folder)
  module.searchParams.set('database', testBackend)
  if (profile) module.searchParams.set('profile', '')
  return { NODE_OPTIONS: `--import=${module.href}` }
}

/** The activity of an observed process until now. */
export async function observe(pid: number, folder: string): Promise<Observation> {
  const file = join(folder, `${pid}`)
  let text = ''
  process.kill(pid, 'SIGUSR2')
  const look = async () => {
    text = await readFile(file, 'utf8').catch(() => '')
    return text !== ''
  }
  await until(look, { what: 'the observation of a process', everyMs: 2 })
  await rm(file)
  return JSON.parse(text)
}

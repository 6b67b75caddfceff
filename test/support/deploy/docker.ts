import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { until } from '../assertions/until.ts'
import { showOnFailure } from '../test-context/failure-log.ts'
import type { RunningListd } from './tour.ts'

const run = promisify(execFile)

/** The image that `scripts/test-containers` has built by deploy/Dockerfile. */
export const image = 'listd-test'

/** Runs `docker` with some arguments. @returns what it prints, without white space around it */
export async function docker(...args: string[]): Promise<string> {
  const { stdout, stderr } = await run('docker', args, { maxBuffer: 2 ** 24 })
  return (args[0] === 'logs' ? stdout + stderr : stdout).trim()
}

/** A property of a container, such as `.State.ExitCode`. */
export function inspect(container: string, value: string): Promise<string> {
  return docker('inspect', '--format', `{{${value}}}`, container)
}

/** Removes a container with its volumes when the test ends, and shows its log if it fails. */
export async function watchContainer(t: ExecutionContext, container: string): Promise<void> {
  const logs = { last: '' }
  showOnFailure(t, container, () => logs.last.split('\n'))
  t.teardown(async () => {
    logs.last = await docker('logs', '--tail', '50', container).catch(String)
    await docker('rm', '--force', '--volumes', container)
  })
}

/** Waits until the health check of a container has passed. */
export async function healthy(container: string): Promise<void> {
  const look = async () => {
    const health = await inspect(container, '.State.Health.Status')
    return health === 'healthy' || `${health}: ${await docker('logs', '--tail', '5', container)}`
  }
  await until(look, { withinMs: 120_000, what: `${container} to be healthy` })
}

/** The listd of a container, and how to reach its loopback. */
export async function listdIn(container: string): Promise<RunningListd> {
  const { DOCKER_HOST = '' } = process.env
  return {
    command: ['docker', 'exec', '-i', container, 'listd'],
    env: DOCKER_HOST === '' ? {} : { DOCKER_HOST },
    enter: ['nsenter', '--net', '--target', await inspect(container, '.State.Pid')],
  }
}

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { findNatsServer } from '#services/supervisor/processes/find-program.ts'
import { loadConfig } from '#shared/config/load.ts'
import { type TestProcess, testProcess } from '../processes/process.ts'
import { processTree } from '../processes/processes.ts'
import { testFolder } from '../test-context/folder.ts'
import type { Teardown } from '../test-context/teardown.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const script = join(import.meta.dirname, 'container.sh')
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')

/** The user that the image and the pods of the chart run as. */
export const userId = 10_001

export type Mount = { source: string; target: string; readOnly: boolean }

export type Container = {
  /** The folder that `scripts/assemble.ts` has written. */
  image: string
  command: readonly string[]
  env: Readonly<Record<string, string>>
  mounts?: readonly Mount[]
  workdir?: string
}

/** Why containers are not available on this machine; null if they are. */
export async function whyNoContainers(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'left out: only root may make mounts'
  return run('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).then(
    () => null,
    (error: Error) => `left out: this machine allows no mounts (${error.message.trim()})`,
  )
}

/** Writes the part of the image above its base, with the script that the Dockerfile calls. @returns the folder */
export async function assembleImage(t: Teardown): Promise<string> {
  const image = join(await testFolder(t), 'image')
  const args = [
    join(root, 'scripts/assemble.ts'),
    image,
    '--nats-server',
    await findNatsServer(loadConfig()),
    '--commit',
    'test',
  ]
  await run(process.execPath, args)
  return image
}

/** Starts a container whose command is its process 1, and kills it when the test ends. */
export async function startContainer(t: ExecutionContext, container: Container): Promise<TestProcess> {
  const started = testProcess(t, await commandOf(t, container), { env: container.env })
  // Linux clears the parent-death signal when the process becomes another user.
  t.teardown(() => {
    const first = firstProcess(started.pid)
    if (first !== 0) process.kill(first, 'SIGKILL')
  })
  return started
}

async function commandOf(t: Teardown, container: Container): Promise<[string, ...string[]]> {
  const { image, command, mounts = [], workdir = '/' } = container
  const place = join(await testFolder(t), 'root')
  await mkdir(place)
  const binds = mounts.map(({ source, target, readOnly }) => `${readOnly ? 'ro' : 'rw'}:${source}:${target}`)
  const isolated = ['--mount', '--pid', '--fork']
  return ['unshare', ...isolated, script, place, image, `${userId}:${userId}`, workdir, ...binds, '--', ...command]
}

/** The process id on this machine of a container's first process; 0: it has ended. */
export function firstProcess(pid: number): number {
  return processTree(pid).find(({ parent }) => parent === pid)?.pid ?? 0
}

/** A program and its arguments that run a command in a running container, as `docker exec` does. */
export function execCommand(pid: number, command: readonly string[]): [string, ...string[]] {
  const entered = ['--target', `${firstProcess(pid)}`, '--mount', '--pid', '--root', '--wd']
  return ['nsenter', ...entered, '--setuid', `${userId}`, '--setgid', `${userId}`, '--', ...command]
}

/** A folder in which a container may write. */
export async function writableFolder(t: Teardown): Promise<string> {
  const folder = await testFolder(t)
  await chown(folder, userId, userId)
  await chmod(folder, 0o700)
  return folder
}

/** How the image runs, according to the Dockerfile. */
export const imageSettings = {
  env: Object.fromEntries([...dockerfile.matchAll(/\b(LISTD_\w+)=(\S*)/g)].map(([, name, value]) => [name, value])),
  entrypoint: jsonAfter('ENTRYPOINT'),
  command: jsonAfter('CMD', /^CMD/m),
  healthCheck: jsonAfter('HEALTHCHECK', /^ {2}CMD/m),
  user: /^USER (.*)$/m.exec(dockerfile)?.[1],
}

function jsonAfter(name: string, where = new RegExp(`^${name}`, 'm')): string[] {
  const at = dockerfile.search(where)
  const text = /\[.*\]/.exec(dockerfile.slice(at))?.[0]
  if (at < 0 || text === undefined) throw new Error(`the Dockerfile has no ${name}`)
  return JSON.parse(text)
}

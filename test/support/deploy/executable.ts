import { execFile } from 'node:child_process'
import { link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { type TestProcess, testProcess } from '../processes/process.ts'
import { testFolder } from '../test-context/folder.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { execCommand, firstProcess, startContainer, whyNoContainers, writableFolder } from './container.ts'

const root = join(import.meta.dirname, '../../..')

/** Builds the executable, as `make dist` does. @returns the folder with the executable and its related files */
export async function buildExecutable(t: Teardown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'listd-executable-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await promisify(execFile)(process.execPath, [join(root, 'scripts/executable/build.ts'), folder])
  return folder
}

/** A running `./listd start`, and how its other commands are called in its directory. */
export type Alone = { process: TestProcess; pid(): number; folder: string; command(): readonly [string, ...string[]] }

type Start = { executable: string; settings: Readonly<Record<string, string>>; certificate: string }

/**
 * Starts the executable in an empty directory with an empty PATH and no variables but the settings. If the machine allows it: on a
 * system without Node.js, nats-server and a home, as a user who may write only to that directory and to /tmp.
 */
export async function startAlone(t: ExecutionContext, start: Start): Promise<Alone> {
  const alone = (await whyNoContainers()) === null ? await startContained(t, start) : await startInFolder(t, start)
  await alone.process.printed(/^ {2}try it .*\n/m)
  return alone
}

async function startContained(t: ExecutionContext, { executable, settings, certificate }: Start): Promise<Alone> {
  const folder = await writableFolder(t)
  const image = await testFolder(t)
  for (const part of ['opt', 'usr/local']) await mkdir(join(image, part), { recursive: true })
  const mounts = [
    { source: folder, target: '/srv', readOnly: false },
    { source: executable, target: '/srv/listd', readOnly: true },
    { source: await writableFolder(t), target: '/tmp', readOnly: false },
    { source: certificate, target: '/receiver.pem', readOnly: true },
  ]
  const called = bare({ ...settings, LISTD_WEBHOOKS_CA_FILE: '/receiver.pem' }, './listd')
  const process = await startContainer(t, { image, command: [...called, 'start'], env: {}, mounts, workdir: '/srv' })
  return { process, pid: () => firstProcess(process.pid), folder, command: () => execCommand(process.pid, called) }
}

async function startInFolder(t: ExecutionContext, { executable, settings, certificate }: Start): Promise<Alone> {
  const folder = await testFolder(t)
  const own = { LISTD_WEBHOOKS_CA_FILE: certificate, LISTD_UNPACK_DIR: await testFolder(t) }
  await link(executable, join(folder, 'listd'))
  const [env, ...called] = bare({ ...settings, ...own }, './listd')
  const command = [env, `--chdir=${folder}`, ...called] as const
  const process = testProcess(t, [...command, 'start'])
  return { process, pid: () => process.pid, folder, command: () => command }
}

/** A command with these variables and no others. */
function bare(variables: Readonly<Record<string, string>>, program: string): [string, ...string[]] {
  return [
    '/usr/bin/env',
    '-i',
    'PATH=',
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    program,
  ]
}

import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ExecutionContext } from 'ava'
import { certificateStep, patientCurl, readmeTour, tourAnswers } from '../guides/readme-tour.ts'
import { freePort } from '../processes/free-port.ts'
import { testProcess } from '../processes/process.ts'
import { testFolder } from '../test-context/folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** A folder with the receiver's needs, its certificate for a listd that runs before the tour begins, and ports for both. */
export type TourFolder = { folder: string; certificate: string; ports: { api: number; receiver: number } }

export async function tourFolder(t: ExecutionContext): Promise<TourFolder> {
  const folder = await testFolder(t)
  for (const part of ['client', 'node_modules']) await symlink(join(root, part), join(folder, part))
  await run('bash', ['-c', await certificateStep()], { cwd: folder })
  await writeFile(join(folder, '.curlrc'), patientCurl)
  const ports = { api: await freePort(), receiver: await freePort() }
  return { folder, ports, certificate: join(folder, 'tour/receiver-cert.pem') }
}

export type RunningListd = {
  /** The program and arguments of its command line, and its variables. */
  command: readonly string[]
  env: Readonly<Record<string, string>>
  /** The host of its API, if it is not the loopback. */
  host?: string
  /** The prefix that runs a command where the dispatcher's loopback is, on which the receiver listens. */
  enter?: readonly string[]
}

/** Runs README's tour against a running listd, and asserts the output of a complete tour. */
export async function runTour(t: ExecutionContext, { folder, ports }: TourFolder, listd: RunningListd): Promise<void> {
  // Without this process's variables, which are not those of the container.
  const variables = Object.entries(listd.env).map(([name, value]) => `${name}='${value}'`)
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const wrapper = `#!/bin/sh\nexec env -i PATH=${path} ${[...variables, ...listd.command].join(' ')} "$@"\n`
  await writeFile(join(folder, 'listd'), wrapper, { mode: 0o755 })
  const { host = '127.0.0.1', enter = [] } = listd
  const text = await readmeTour({ ports, host, start: null, listd: './listd' })
  const [program = '', ...args] = [...enter, 'bash', '-c', `trap 'jobs -p | xargs -r kill' EXIT\n${text}`]
  const shell = testProcess(t, [program, ...args], {
    cwd: folder,
    env: { ...process.env, CURL_HOME: folder },
  })
  const { code } = await shell.ended
  const output = shell.stdout() + shell.stderr()
  t.is(code, 0, output)
  for (const answer of tourAnswers) t.regex(output, answer)
}

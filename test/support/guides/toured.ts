import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { createApi, served } from '../http/api.ts'
import { freePort } from '../processes/free-port.ts'
import { readOrEmpty } from '../processes/processes.ts'
import { assertNoSecretsIn, assertNoSecretsLogged } from '../test-context/canaries.ts'
import { showOnFailure } from '../test-context/failure-log.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { patientCurl, readmeTour } from './readme-tour.ts'

const root = join(import.meta.dirname, '../../..')

/** A copy of the project in which README's tour has been run; its listd and its receiver run until the tests end. */
export type Toured = {
  folder: string
  /** The output of the tour, and the files that it left, as seen by git. */
  output: string
  newFiles: string[]
  /** The actual address of the API, for README's `http://127.0.0.1:3000`. */
  address: string
  /** Runs a script in the copy, as a reader does in another terminal. */
  runScript(script: string): Promise<Ended>
  /** What a guide must leave unchanged: the contents of the account, and the new files that git sees. */
  state(): Promise<unknown>
}

type Ended = { code: number | null; output: string }

export async function takeTour(t: Teardown): Promise<Toured> {
  const folder = await mkdtemp(join(tmpdir(), 'listd-tour-'))
  t.teardown(async () => {
    const removed = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
    await assertNoSecretsIn(folder).finally(removed)
  })
  await copyProject(folder)
  const copied = new Set(await visibleFiles(folder))
  const ports = { api: await freePort(), receiver: await freePort() }
  const runScript = (script: string) => runIn(t, folder, script)
  const { code, output } = await runScript(`export LISTD_GATEWAY_PORT=${ports.api}\n${await readmeTour({ ports })}`)
  const log = () => readOrEmpty(join(folder, 'tour/start.log')).split('\n')
  showOnFailure(t, 'listd', log)
  t.teardown(() => assertNoSecretsLogged('the log of listd', log()))
  if (code !== 0) throw new Error(`README's tour has failed:\n${output}`)
  const address = `http://127.0.0.1:${ports.api}`
  const readAccount = await accountReader(address)
  const newFiles = async () => (await visibleFiles(folder)).filter((file) => !copied.has(file))
  const state = async () => ({ ...(await readAccount()), newFiles: await newFiles() })
  return { folder, output, newFiles: await newFiles(), address, runScript, state }
}

/** A fresh clone, with the packages that are installed here. */
async function copyProject(folder: string): Promise<void> {
  const filter = (source: string) => isVisible(relative(root, source))
  await cp(root, folder, { recursive: true, preserveTimestamps: true, filter })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, '.curlrc'), patientCurl)
}

/** The folders at the top that .gitignore names. */
const ignored = readFileSync(join(root, '.gitignore'), 'utf8').match(/(?<=^\/)[\w-]+(?=\/$)/gm) ?? []

function isVisible(path: string): boolean {
  const [top = '', ...below] = path.split(sep)
  return ![...ignored, '.git', 'node_modules'].includes(top) && !below.includes('node_modules')
}

async function visibleFiles(folder: string): Promise<string[]> {
  const tops = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => isVisible(name))
  const paths = tops.map(async (top) => {
    const below = top.isDirectory() ? await readdir(join(folder, top.name), { recursive: true }) : []
    return [top.name, ...below.map((path) => join(top.name, path)).filter(isVisible)]
  })
  return (await Promise.all(paths)).flat().sort()
}

/** Processes that the script leaves running are killed when the tests end. */
async function runIn(t: Teardown, folder: string, script: string): Promise<Ended> {
  const env = { ...process.env, LISTD_PASSWORDS_MEMORY_MIB: '19', CURL_HOME: folder }
  const shell = spawn('bash', ['-c', script], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => {
    killGroup(shell.pid ?? 0)
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code] = await once(shell, 'close')
  return { code, output }
}

function killGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(-pid, 'SIGKILL')
  } catch {
    // None of its processes runs any more.
  }
}

/** Signs in as the tour's user. @returns a function that reads the content of the account, except for its events and the tokens that expire */
async function accountReader(address: string): Promise<() => Promise<object>> {
  const guest = createApi(() => address, {})
  const body = { email: 'you@example.com', password: 'a password of your own' }
  const { json } = await served(() => guest('POST', '/auth/login', { body }))
  const user = createApi(() => address, { authorization: `Bearer ${json.token}` })
  const rows = async (path: string) => (await user('GET', path)).json.data
  return async () => {
    const webhooks = await rows('/webhooks')
    // The guides' items are events too.
    for (const webhook of webhooks) for (const name of counters) delete webhook[name]
    return {
      webhooks,
      lists: await rows('/lists'),
      recipes: [await rows('/lists/recipes/indexes'), await rows('/lists/recipes/items?includeData=true')],
      tokens: (await rows('/tokens')).filter(isWithoutEnd).map(({ name }: Token) => name),
      identities: [await rows('/identities'), await rows('/identity-groups')],
    }
  }
}

type Token = { name: string; expiresAt: string | null }
const isWithoutEnd = ({ expiresAt }: Token) => expiresAt === null

const counters = ['waitingCount', 'lastDeliveryAt', 'updatedAt']

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '../processes/free-port.ts'

const run = promisify(execFile)
const guard = join(import.meta.dirname, 'guard.sh')
const readyMs = 60_000
const maxPorts = 5

export type PrivateServer = {
  /** The account that the server runs as if this process is root, because servers reject root. */
  account: string
  /** The program that creates the empty store in a folder. */
  install(folder: string): readonly [string, ...string[]]
  /** The server itself, on the port of 127.0.0.1. */
  serve(folder: string, port: number): readonly [string, ...string[]]
  /** Rejects until the server answers. */
  answer(port: number): Promise<unknown>
}

/** A server whose programs are on this machine. */
export type LocalServer = PrivateServer & {
  urlOf(port: number): string
  /** The location of its programs, for people. */
  from: string
}

export type RunningServer = { port: number; pid: number; stop(): Promise<void> }

/** Starts a server in a temporary folder on a free port; it ends with this process at the latest, and its folder with it. */
export async function startPrivateServer(server: PrivateServer): Promise<RunningServer> {
  for (let n = 1; ; n++) {
    const store = await makeStore(server)
    try {
      return await serve(server, { ...store, port: await freePort(), removed: store.folder })
    } catch (error) {
      await rm(store.folder, { recursive: true, force: true, maxRetries: 20 })
      // Another process may have used the port since it was chosen.
      if (n === maxPorts || !String(error).includes('in use')) throw error
    }
  }
}

/** A temporary folder with an empty store, and its owner. */
export type Store = { folder: string; owner: Owner | null }

type Owner = { uid: number; gid: number }

export async function makeStore(server: PrivateServer): Promise<Store> {
  const owner = await ownerOf(server.account)
  const folder = await mkdtemp(join(tmpdir(), 'listd-server-'))
  await chmod(folder, 0o755)
  if (owner) await chown(folder, owner.uid, owner.gid)
  const [program, ...args] = server.install(folder)
  try {
    await run(program, args, { ...owner, cwd: folder, maxBuffer: 1 << 24 })
  } catch (error) {
    await rm(folder, { recursive: true, force: true, maxRetries: 20 })
    throw error
  }
  return { folder, owner }
}

/** @returns null for the current user */
async function ownerOf(account: string): Promise<Owner | null> {
  if (process.getuid?.() !== 0) return null
  const id = async (flag: string) => Number((await run('id', [flag, account])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Writes a file into a store that only its server may read. @returns its path */
export async function addPrivateFile({ folder, owner }: Store, name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text, { mode: 0o600 })
  if (owner) await chown(path, owner.uid, owner.gid)
  return path
}

/** Runs the server on a store. @param options.removed the folder to remove when it has ended */
export async function serve(
  server: PrivateServer,
  { folder, owner, port, removed }: Store & { port: number; removed: string },
): Promise<RunningServer> {
  // A separate session: an interrupt from the keyboard reaches the run, and the run ends the server.
  const child = spawn('/bin/sh', [guard, removed, ...server.serve(folder, port)], {
    ...owner,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  child.stdin?.on('error', () => {})
  const lastWords = lastLines(child)
  const giveUpAt = performance.now() + readyMs
  while (!(await server.answer(port).then(isTrue, isFalse))) {
    if (hasEnded(child) || performance.now() > giveUpAt) {
      await end(child)
      throw new Error(`the server did not start:\n${lastWords()}`)
    }
    await delay(50)
  }
  return { port, pid: child.pid ?? 0, stop: () => end(child) }
}

const isTrue = () => true
const isFalse = () => false

/** The server's log, which shows why it ended. */
function lastLines(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-2_000)
  })
  return () => text
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.stdin?.end()
  await once(child, 'exit')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

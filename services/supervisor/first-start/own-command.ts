import { access, realpath } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { searchPath } from '#shared/config/environment.ts'
import { isExecutable } from '../own-program.ts'
import { shellWord } from '../terminal/shell-word.ts'

const wrapper = join(import.meta.dirname, '../../../scripts/listd')

/** Files that engines put into their containers, and the programs that run a command there. */
const engines = { '/.dockerenv': 'docker', '/run/.containerenv': 'podman' } as const

type Place = {
  /** The program of the engine in whose container this process is the first, or its child. */
  engine: 'docker' | 'podman' | null
  /** The engine sets a container's host name to its id, unless another name is configured. */
  hostname: string
  /** Whether `listd` on PATH is this installation. */
  isOnPath: boolean
  /** How the executable was called, such as `./listd`; null where listd is not an executable. */
  calledAs: string | null
}

/** Where this process runs. */
export async function placeOf(): Promise<Place> {
  const place = { engine: await findEngine(), hostname: hostname() }
  // A shell that has found it on PATH passes its name only.
  if (isExecutable) return { ...place, isOnPath: !process.argv0.includes('/'), calledAs: process.argv0 }
  const onPath = await Promise.all(searchPath().map((folder) => realpath(join(folder, 'listd')).catch(() => null)))
  const [first] = onPath.filter((path) => path !== null)
  return { ...place, isOnPath: first === (await realpath(wrapper)), calledAs: null }
}

/** How a person calls listd from another shell. */
export type OwnCommand = {
  /** The program, with the data directory before it where that is needed. */
  command: string
  /** The prefix of the command outside the container; null without a container. */
  fromOutside: string | null
}

/**
 * How a person calls listd from another shell, which may have other variables, and in a container another working directory.
 */
export function ownCommand(
  { engine, hostname, isOnPath, calledAs }: Place,
  { dataDir, cwd }: { dataDir: string; cwd: string },
): OwnCommand {
  const setting = `LISTD_DATA_DIR=${shellWord(dataDir)} `
  const program = isOnPath ? 'listd' : calledAs
  if (engine === null || program === null) {
    const command = shellWord(program ?? relative(cwd, wrapper))
    return { command: dataDir === join(cwd, 'data') ? command : setting + command, fromOutside: null }
  }
  const container = /^[0-9a-f]{12}$/.test(hostname) ? hostname : 'CONTAINER'
  const anywhere = isOnPath ? program : resolve(cwd, program)
  return { command: setting + shellWord(anywhere), fromOutside: `${engine} exec -it ${container} env` }
}

/** In a container with more than listd, such as a development container, a person has a shell too. */
async function findEngine(): Promise<Place['engine']> {
  if (process.pid !== 1 && process.ppid !== 1) return null
  const found = Object.entries(engines).map(async ([path, engine]) => ((await isThere(path)) ? engine : null))
  return (await Promise.all(found)).find((name) => name !== null) ?? null
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

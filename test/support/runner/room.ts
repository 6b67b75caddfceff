import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ava from 'ava'
import { declarationsOf } from './declarations.ts'
import { type Part, runParts } from './parts.ts'
import { reportRoom } from './reports/reports.ts'

/** The input from a room's file, which the runner writes. */
export type RoomRun = {
  name: string
  /** The database of the room, for people: `sqlite`. */
  lane: string
  parts: readonly string[]
  /** Whether the process has only one part, which may change it. */
  isApart: boolean
  /** Set before anything else is imported. */
  env: Readonly<Record<string, string>>
  /** Only tests with a matching title run; empty: all. */
  match: readonly string[]
}

const root = join(import.meta.dirname, '../../..')

/**
 * Runs test files in this process, one after the other, each as ava would run it in a separate process: its `before` hooks, its serial
 * tests, the others at once, its `after` hooks. Ava sees the tests of all files, each with its file in the title.
 */
export async function runRoom(room: RoomRun): Promise<void> {
  Object.assign(process.env, room.env)
  reportRoom(room)
  giveDeclarationsFor('ava')
  const parts: Part[] = []
  for (const path of room.parts) {
    const declarations = await declarationsOf(() => import(pathToFileURL(join(root, path)).href))
    parts.push({ path, ...declarations })
  }
  runParts(ava, parts, room)
}

/** From now on test files that import ava declare to the room. */
function giveDeclarationsFor(name: string): void {
  const url = new URL('./declarations.ts', import.meta.url).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === name ? { url, format: 'module-typescript', shortCircuit: true } : next(specifier, context),
  })
}

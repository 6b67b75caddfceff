import { dirname } from 'node:path'
import type { SourceFile } from '../tidy/source-files.ts'
import { whyApart } from './apart.ts'

/** Test files that run in one process, one after the other. */
export type Room = {
  /** The folder of its parts, or the only part, from `test` on and without `.test.ts`. */
  name: string
  /** Paths of test files from the root, in order. */
  parts: readonly string[]
  /** Why its only part has a separate process; null: its parts share one. */
  why: string | null
}

/** A folder with fewer files shares the room of its parent folder. */
const leastParts = 8

/**
 * A room is a folder: a process costs more than most of the tests that it runs. Folders with few files join their parent folder, up to
 * the layer (`test/unit`, `test/integration`); files that need a separate process stay apart.
 * @param files the files to run; the room of each follows from all existing files
 */
export function roomsOf(files: readonly SourceFile[], all: readonly SourceFile[]): Room[] {
  const asked = new Set(files.map(({ path }) => path))
  const rooms = allRooms(all).map((room) => ({ ...room, parts: room.parts.filter((path) => asked.has(path)) }))
  return rooms.filter(({ parts }) => parts.length > 0)
}

function allRooms(files: readonly SourceFile[]): Room[] {
  const apart = files.map((file) => ({ file, why: whyApart(file) }))
  const own = apart.filter(({ why }) => why !== null).map(({ file: { path }, why }) => toRoom(path, [path], why))
  const together = joinSmall(apart.filter(({ why }) => why === null).map(({ file }) => file.path))
  return [...own, ...together.entries().map(([folder, parts]) => toRoom(folder, parts, null))]
}

function toRoom(place: string, parts: readonly string[], why: string | null): Room {
  return { name: place.replace(/^test\//, '').replace(/\.test\.ts$/, ''), parts: parts.toSorted(), why }
}

/** Paths by the folder whose room they share. */
function joinSmall(paths: readonly string[]): Map<string, string[]> {
  const folders = Map.groupBy(paths, dirname)
  for (;;) {
    const small = folders
      .entries()
      .filter(([folder, { length }]) => length < leastParts && depthOf(folder) > layerDepth)
    const deepest = [...small].sort(([a], [b]) => depthOf(b) - depthOf(a))[0]
    if (!deepest) return folders
    const [folder, parts] = deepest
    folders.delete(folder)
    folders.set(dirname(folder), [...(folders.get(dirname(folder)) ?? []), ...parts])
  }
}

/** `test/unit` */
const layerDepth = 2

const depthOf = (folder: string): number => folder.split('/').length

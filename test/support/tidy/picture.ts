import { roomOf } from './rooms.ts'
import type { Finding, SourceFile } from './source-files.ts'

const page = 'ARCHITECTURE.md'
const arrow = ' ─▶ '

/** The picture of rooms: each line of it names a room and all its imports, and has no arrow without an import. */
export function pictureFindings(files: readonly SourceFile[]): Finding[] {
  const lines = files.find(({ path }) => path === page)?.lines ?? []
  const start = lines.findIndex((line) => line.startsWith('Which room imports which')) + 1
  const end = lines.findIndex((line, n) => n > start + 1 && line === '```')
  const drawn = new Map(lines.slice(start, end).flatMap((line) => arrowsOf(line)))
  const taken = Map.groupBy(files.flatMap(importsOfRoom), ({ from }) => from)
  return [...new Set([...drawn.keys(), ...taken.keys()])].flatMap((room) => {
    const imported = new Set(taken.get(room)?.map(({ to }) => to))
    const shown = drawn.get(room) ?? new Set()
    const remedies = [
      ...[...imported.difference(shown)].map((to) => `draw the arrow from ${room} to ${to}, which an import takes`),
      ...[...shown.difference(imported)].map((to) => `no import goes from ${room} to ${to}: take its arrow away`),
    ]
    return remedies.map((remedy) => ({ path: page, line: start + 1, remedy }))
  })
}

function arrowsOf(line: string): [string, Set<string>][] {
  const [room, rooms] = line.split(arrow)
  return room === undefined || rooms === undefined ? [] : [[room.trim(), new Set(rooms.trim().split(/ +/))]]
}

/** Files at the top of `shared` are for everyone. */
function importsOfRoom({ path, imports }: SourceFile): { from: string; to: string }[] {
  if (!/^(services|shared)\/[^/]+\//.test(path)) return []
  const from = roomOf(path)
  const rooms = imports.flatMap(({ target }) => (target === null ? [] : roomOf(target)))
  return rooms
    .filter((to) => to !== from && /^(services\/|shared\/|client$)/.test(to))
    .map((to) => ({ from: named(from), to: named(to) }))
}

const named = (room: string) => room.replace(/^(services|shared)\//, '')

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Report } from './reports.ts'

const shown = 20
const file = join(import.meta.dirname, '../../../../dist/test-costs.json')

type PartReport = Extract<Report, { kind: 'part' }>
type RoomReport = Extract<Report, { kind: 'ended' }>
type Row = { name: string; files: number; wall: number; cpu: number }

/**
 * The costs of a run for people: a table of folders, and the files with the most CPU time. The costs of a process of a room before and
 * between its parts are a separate row.
 */
export function summaryOf(reports: readonly Report[]): string[] {
  const parts = reports.filter((report): report is PartReport => report.kind === 'part')
  const mostExpensive = parts.toSorted((a, b) => b.cpu - a.cpu).slice(0, shown)
  return [
    'processor   wall      files  folder (seconds)',
    ...foldersOf(reports).map(
      ({ name, files, wall, cpu }) => `${cell(cpu)} ${cell(wall)} ${`${files}`.padStart(8)}  ${name}`,
    ),
    '',
    `the ${mostExpensive.length} most expensive files`,
    ...mostExpensive.map(({ lane, path, wall, cpu }) => `${cell(cpu)} ${cell(wall)}           ${lane}: ${path}`),
  ]
}

const cell = (seconds: number): string => seconds.toFixed(1).padStart(9)

function foldersOf(reports: readonly Report[]): Row[] {
  const parts = reports.filter((report): report is PartReport => report.kind === 'part')
  const rooms = reports.filter((report): report is RoomReport => report.kind === 'ended')
  const rows = Map.groupBy(parts, ({ lane, path }) => `${lane}: ${dirname(path)}`)
  const folders = [...rows].map(([name, files]) => ({ name, files: files.length, ...sum(files) }))
  const [whole, inParts] = [sum(rooms), sum(parts)]
  const between = { wall: whole.wall - inParts.wall, cpu: whole.cpu - inParts.cpu }
  const own = { name: `the processes of ${rooms.length} rooms, outside their tests`, files: 0, ...between }
  return [...folders, own].sort((a, b) => b.cpu - a.cpu)
}

function sum(costs: readonly { wall: number; cpu: number }[]): { wall: number; cpu: number } {
  return {
    wall: costs.reduce((total, { wall }) => total + wall, 0),
    cpu: costs.reduce((total, { cpu }) => total + cpu, 0),
  }
}

/** Writes the costs of a run of all files: the next run begins with the slowest. @returns the path */
export function writeCosts(reports: readonly Report[], whole: { wall: number; cpu: number }): string {
  mkdirSync(dirname(file), { recursive: true })
  const [parts, rooms] = (['part', 'ended'] as const).map((kind) => reports.filter((report) => report.kind === kind))
  writeFileSync(file, `${JSON.stringify({ ...whole, folders: foldersOf(reports), rooms, parts }, null, 2)}\n`)
  return file
}

/** Seconds that rooms took in the last complete run, by `lane name`; empty if unknown. */
export function readCosts(): ReadonlyMap<string, number> {
  try {
    const { rooms }: { rooms: RoomReport[] } = JSON.parse(readFileSync(file, 'utf8'))
    return new Map(rooms.map(({ lane, room, wall }) => [`${lane} ${room}`, wall]))
  } catch {
    return new Map()
  }
}

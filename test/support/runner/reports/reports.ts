import { appendFileSync } from 'node:fs'
import { cpuSeconds } from '../cpu.ts'

/** The reports of rooms' processes to the runner, one line of JSON each, in the file that `TEST_REPORT` names. Times are in seconds. */
export type Report =
  | { kind: 'begun'; lane: string; room: string }
  | ({ kind: 'part'; lane: string; room: string; path: string } & Result & Cost)
  | ({ kind: 'ended'; lane: string; room: string } & Cost)

export type Result = { passed: number; failed: number }
/** `cpu` includes the process and the processes that it has waited for. */
export type Cost = { wall: number; cpu: number }

export type PartReport = { end(result: Result): void }

let room = { lane: '', room: '' }

/** Reports that this process runs a room, and its costs when it ends. */
export function reportRoom({ name, lane }: { name: string; lane: string }): void {
  room = { lane, room: name }
  tell({ kind: 'begun', ...room })
  process.on('exit', () => tell({ kind: 'ended', ...room, wall: process.uptime(), cpu: cpuSeconds() }))
}

export function startPart(path: string): PartReport {
  const wall = performance.now()
  const cpu = cpuSeconds()
  return {
    end(result) {
      const cost = { wall: (performance.now() - wall) / 1_000, cpu: cpuSeconds() - cpu }
      tell({ kind: 'part', ...room, path, ...result, ...cost })
    },
  }
}

function tell(report: Report): void {
  const file = process.env.TEST_REPORT
  if (file) appendFileSync(file, `${JSON.stringify(report)}\n`)
}

import type { Report } from './reports.ts'

/** The progress of a run, reported while it runs. */
export type Progress = {
  hear(report: Report): void
  /** Prints a line above the progress line. */
  say(line: string): void
  /** Removes the progress line. */
  end(): void
}

type Planned = { lane: string; name: string; parts: readonly string[] }

/** On a terminal one rewritten line shows how many files are done and what runs. Elsewhere each room is a line when it has ended. */
export function showProgress(rooms: readonly Planned[], output: NodeJS.WriteStream = process.stdout): Progress {
  const files = rooms.reduce((sum, { parts }) => sum + parts.length, 0)
  const running = new Set<string>()
  const tests = new Map<string, number>()
  let doneFiles = 0
  let doneRooms = 0
  let failed = 0

  const line = (): string => {
    const counts = `${doneFiles} of ${files} files, ${doneRooms} of ${rooms.length} rooms`
    return `${counts}${failed > 0 ? `, ${failed} tests failed` : ''}; now ${[...running].join(', ') || 'nothing'}`
  }
  const clear = () => output.isTTY && output.write('\r\x1b[K')
  const draw = () => output.isTTY && output.write(line().slice(0, (output.columns ?? 80) - 1))
  const say = (text: string) => {
    clear()
    output.write(`${text}\n`)
    draw()
  }

  function hear(report: Report): void {
    const name = `${report.lane} ${report.room}`
    if (report.kind === 'begun') running.add(name)
    if (report.kind === 'part') {
      doneFiles++
      failed += report.failed
      tests.set(name, (tests.get(name) ?? 0) + report.passed + report.failed)
    }
    if (report.kind === 'ended') {
      doneRooms++
      running.delete(name)
      if (!output.isTTY)
        say(`${doneFiles} of ${files} files: ${name}, ${tests.get(name) ?? 0} tests, ${costOf(report)}`)
    }
    clear()
    draw()
  }

  return { hear, say, end: () => void clear() }
}

export function costOf({ wall, cpu }: { wall: number; cpu: number }): string {
  return `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of processor`
}

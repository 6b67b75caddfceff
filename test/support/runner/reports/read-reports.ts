import { closeSync, openSync, readSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Report } from './reports.ts'

/** The reports of a run's rooms, in the order of arrival. */
export type Reports = {
  /** Settings by which the processes of rooms find the file. */
  settings: Record<string, string>
  /** Reads the reports since the last time, and ends. @returns all reports */
  end(): readonly Report[]
}

export function readReports(heard: (report: Report) => void): Reports {
  const path = join(tmpdir(), `listd-test-reports-${process.pid}`)
  writeFileSync(path, '')
  const file = openSync(path, 'r')
  const all: Report[] = []
  let rest = ''
  const read = () => {
    const buffer = Buffer.alloc(1 << 16)
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
      rest += buffer.toString('utf8', 0, size)
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const report: Report = JSON.parse(line)
      all.push(report)
      heard(report)
    }
  }
  const watcher = watch(path, read)
  return {
    settings: { TEST_REPORT: path },
    end() {
      watcher.close()
      read()
      closeSync(file)
      rmSync(path)
      return all
    },
  }
}

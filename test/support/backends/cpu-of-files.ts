import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOrEmpty } from '../processes/processes.ts'

const shown = 10
const report = join(tmpdir(), `listd-test-cpu-${process.pid}`)
writeFileSync(report, '')
process.on('exit', () => rmSync(report, { force: true }))

/** By these settings each test file reports, when it ends, how much of the processor it took (`report-cpu.ts`). */
export const cpuSettings = { TEST_CPU_REPORT: report }

/** The ten files that took most of the processor, a line each; none where that is not known. */
export function dearestFiles(): string[] {
  const reported = readOrEmpty(report).matchAll(/^(\S+) (.+)$/gm)
  return [...reported]
    .map(([, seconds, file]) => ({ seconds: Number(seconds), file }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, shown)
    .map(({ seconds, file }) => `${seconds.toFixed(1).padStart(7)} s of CPU: ${file}`)
}

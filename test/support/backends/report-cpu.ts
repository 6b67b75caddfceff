import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { cpuSeconds } from '../processes/cpu-of-file.ts'

// Ava loads this before each test file (package.json). Only the runner of all tests wants a report.
const report = process.env.TEST_CPU_REPORT
if (report !== undefined) {
  const backend = (process.env.TEST_DATABASE_URL || 'sqlite:').split(':', 1)
  const line = `${backend}: ${relative(process.cwd(), fileURLToPath(test.meta.file))}\n`
  process.on('exit', () => appendFileSync(report, `${cpuSeconds()} ${line}`))
}

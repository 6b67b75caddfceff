import type { CheckReport, CheckResult } from '../doctor/check.ts'
import { runChecks } from '../doctor/run-checks.ts'
import { aligned, formatJson } from '../terminal/listing.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** `listd doctor`: checks everything that may keep listd from running well; read-only. Exit code 1 if anything is wrong. */
export async function doctorCommand(terminal: Terminal, { json }: { json?: true }): Promise<void> {
  const reports = await runChecks(terminal)
  const wrongCount = reports.filter(({ state }) => state === 'wrong').length
  terminal.stdout.write(json ? formatJson(reports) : formatReports(reports, wrongCount))
  if (wrongCount > 0) terminal.exitCode = 1
}

const marks: Record<CheckResult['state'], string> = { ok: 'ok', note: 'note', wrong: 'WRONG' }

function formatReports(reports: readonly CheckReport[], wrongCount: number): string {
  const lines = reports.flatMap(({ state, check, message, fix }) => [
    [marks[state], check, message],
    ...(fix === undefined ? [] : [['', '', `-> ${fix}`]]),
  ])
  const subject = { 0: 'Nothing needs', 1: 'One thing needs' }[wrongCount] ?? `${wrongCount} things need`
  return `${aligned(lines)}\n${subject} fixing.\n`
}

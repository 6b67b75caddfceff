import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import type { FlowTestResult } from '#shared/domain/flow/tests/tests.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { printable } from '../../terminal/listing.ts'
import type { Paint } from '../paint.ts'
import type { FlowReport } from './report.ts'

/** Each finding on a line, in the format of compilers, which editors parse: `vote.json:12:16 error EXPRESSION nodes.0.when …`. */
export function renderFindings({ file, diagnostics }: Pick<FlowReport, 'file' | 'diagnostics'>): string {
  return diagnostics.map((finding) => `${printable(findingLine(file, finding))}\n`).join('')
}

function findingLine(file: string, { line, column, severity, code, path, message }: Diagnostic): string {
  return `${file}:${line}:${column} ${severity} ${code} ${path || 'the document'} ${message}`
}

/** The tests of a flow by name; below each failed one, the differences from the expected run, and the response. */
export function renderTests({ file, diagnostics, tests }: FlowReport, paint: Paint): string {
  if (diagnostics.some(({ severity }) => severity === 'error')) return ''
  if (tests.length === 0) return `${file} has no tests.\n`
  const passed = tests.filter((test) => test.passed).length
  const sum = `${file}: ${passed} of ${counted(tests.length, 'test')} passed.`
  return [...tests.flatMap((test) => testLines(test, paint)), paint('bold', sum)].map((line) => `${line}\n`).join('')
}

/** Also for tests that a server ran: a test without `passed` failed. */
export function testLines({ name, passed, message, actual }: FlowTestResult, paint: Paint): string[] {
  const title = printable(name)
  if (passed) return [`${paint('green', '✔')} ${title}`]
  const lines = [message ?? '', ...(actual && actual.error !== message ? [answerOf(actual)] : [])]
  return [`${paint('red', '✗')} ${title}`, ...lines.map((line) => `    ${printable(line)}`)]
}

function answerOf({ status, body, error }: NonNullable<FlowTestResult['actual']>): string {
  if (error !== undefined) return error
  const text = body === null ? '' : `: ${JSON.stringify(body)}`
  return `it answered ${status}${text.length > longestBody ? `${text.slice(0, longestBody)}…` : text}`
}

const longestBody = 2_000

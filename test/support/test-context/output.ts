import type { Readable } from 'node:stream'
import type { LogEventName } from '#shared/log/events.ts'

/** A line of a service's log. */
export type LogLine = { service: string; pid: number; level: string; event: LogEventName } & Record<string, unknown>

/** The output of some processes. */
export type Output = {
  /** Complete lines so far, in the order of arrival. */
  readonly lines: readonly string[]
  collect(stream: Readable): void
  /** Log lines; with a text, those that contain it. */
  logged(text?: string): LogLine[]
}

export function createOutput(): Output {
  const lines: string[] = []
  return {
    lines,
    collect(stream) {
      let rest = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n')
        rest = parts.pop() ?? ''
        lines.push(...parts)
      })
    },
    logged: (text = '') =>
      lines.filter((line) => line.startsWith('{"level"') && line.includes(text)).map((line) => JSON.parse(line)),
  }
}

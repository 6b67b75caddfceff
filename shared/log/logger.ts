import { type LevelWithSilent, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { createOutput } from './output.ts'
import { redact } from './redact.ts'

/** error: someone must act; warn: healing by itself; info: one line per unit of work. */
export type Logger = PinoLogger

const output = createOutput(1)

/** JSON lines on standard output, without secrets (`redact.ts`). */
export function createLogger(options: { service: string; level: LevelWithSilent }): Logger {
  const { service, level } = options
  return pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), bindings: redact, log: redact },
      serializers: { err: errorFields },
    },
    output,
  )
}

/** Settles when all lines are written; await it before an exit. */
export const flushed: () => Promise<void> = output.flushed

/** What is logged of an error; its other properties may hold a statement's values or a request. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack } = error
  return { name, message, ...('code' in error && { code: error.code }), stack }
}

import { isatty } from 'node:tty'
import { type LevelWithSilent, type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { allowsColors } from '#shared/config/environment.ts'
import { type LogEventName, logEvents } from './events.ts'
import { createOutput, type Output } from './output.ts'
import { readableLine } from './readable-line.ts'
import { redact } from './redact.ts'

/** Writes a line about an event; its level and its sentence are those of the table (`events.ts`). */
export type Logger = {
  (event: LogEventName, fields?: LogFields): void
  /** Whether lines about the event are written, for callers for which collecting the fields is expensive. */
  isEnabled(event: LogEventName): boolean
}

/** What a line says in addition to the fields that all lines have. */
export type LogFields = Readonly<Record<string, unknown>> & {
  readonly [name in 'level' | 'time' | 'service' | 'pid' | 'event' | 'msg']?: never
}

const standardOutput = createOutput(1)

/**
 * JSON lines on standard output, without secrets (`redact.ts`).
 * @param options.format `text`: lines for people (`readable-line.ts`) instead; `auto`: text when standard output is a terminal
 */
export function createLogger(options: {
  service: string
  level: LevelWithSilent
  format?: 'auto' | 'json' | 'text'
  output?: Pick<Output, 'write'>
}): Logger {
  const { service, level, format = 'json', output = standardOutput } = options
  const isText = format === 'text' || (format === 'auto' && isatty(1))
  const base = pino(
    {
      level,
      base: { service, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), bindings: redact, log: redact },
      serializers: { err: errorFields },
    },
    isText ? readable(output) : output,
  )
  const writers = createWriters(base, { isText })
  const log = (event: LogEventName, fields: LogFields = {}) => writers[event](fields)
  return Object.assign(log, { isEnabled: (event: LogEventName) => base.isLevelEnabled(logEvents[event].level) })
}

/** Colors only on a terminal where they are not turned off. */
function readable({ write }: Pick<Output, 'write'>): Pick<Output, 'write'> {
  const colors = isatty(1) && allowsColors()
  return { write: (line) => write(readableLine(line, { colors })) }
}

type Writers = Readonly<Record<LogEventName, (fields: LogFields) => void>>

/** Each event has a logger of its own, because what is bound to a logger is serialized once and not for each line. */
function createWriters(base: PinoLogger, { isText }: { isText: boolean }): Writers {
  const writers = Object.entries(logEvents).map(([event, { level, meaning }]) => {
    const logger = base.child({ event })
    // A text for people has the fields themselves after the sentence.
    if (isText || !placeholder.test(meaning)) return [event, (fields: LogFields) => logger[level](fields, meaning)]
    return [event, (fields: LogFields) => logger[level](fields, filled(meaning, redact(fields)))]
  })
  return Object.fromEntries(writers)
}

/** A field of the line, as the table of events names it. */
const placeholder = /`(\w+)`/

/** The sentence of an event with the values of the fields that it names, which a line need not have. */
function filled(meaning: string, fields: LogFields): string {
  return meaning.replaceAll(new RegExp(placeholder, 'g'), (_, name: string) =>
    name in fields ? String(fields[name]) : name,
  )
}

/** Settles when all lines are written; await it before an exit. */
export const flushed: () => Promise<void> = standardOutput.flushed

/** The logged properties of an error; others may contain a statement's values or a request. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack } = error
  const { code, reason } = error as { code?: unknown; reason?: unknown }
  return { name, message, ...(code !== undefined && { code }), ...(reason !== undefined && { reason }), stack }
}

import { styleText } from 'node:util'

/** Columns as wide as the longest name, so that sentences begin below each other. */
const serviceWidth = 'webhook-dispatcher'.length
const levelWidth = 'error'.length
const maxValueLength = 200

const levelColors = { trace: 'dim', debug: 'dim', info: 'green', warn: 'yellow', error: 'red', fatal: 'red' } as const

/** What all lines have; the rest are the fields of the event. */
type LogLine = { level: string; time: string; service: string; event: string; msg: string; [field: string]: unknown }

/**
 * A JSON line of the log as one short line for people: local time, service, level, sentence and fields. A line of level `warn`
 * or above also has the name of its event, by which docs/logging.md says what to do.
 * @param line with its line break, as what is returned
 */
export function readableLine(line: string, { colors }: { colors: boolean }): string {
  const paint: Paint = (color, text) => (colors ? styleText(color, text, { validateStream: false }) : text)
  const parsed = parseLine(line)
  if (parsed === null) return `${escaped(line.trimEnd())}\n`
  const { level, time, service, event, msg, pid, ...fields } = parsed
  const isWrong = level === 'warn' || level === 'error' || level === 'fatal'
  const parts = [
    paint('dim', localTime(time)),
    paint('cyan', escaped(service).padEnd(serviceWidth)),
    paint(colorOf(level), escaped(level).padEnd(levelWidth)),
    escaped(firstClause(msg)),
    ...Object.entries(fields).flatMap(([name, value]) => formatField(name, value, { paint, all: isWrong })),
    ...(isWrong ? [paint('dim', `(${escaped(event)})`)] : []),
  ]
  return `${parts.join('  ')}\n`
}

type Color = 'dim' | 'cyan' | 'green' | 'yellow' | 'red'
type Paint = (color: Color, text: string) => string

function parseLine(line: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(line)
    const isLine = typeof value === 'object' && value !== null && 'time' in value && 'msg' in value
    return isLine ? (value as LogLine) : null
  } catch {
    return null
  }
}

/** Of the person who reads; the JSON lines have UTC. */
function localTime(time: string): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return escaped(time)
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

function colorOf(level: string): Color {
  return Object.hasOwn(levelColors, level) ? levelColors[level as keyof typeof levelColors] : 'dim'
}

/** The sentence without what explains it, because the fields follow: up to a semicolon, or to the field that it names. */
function firstClause(sentence: string): string {
  const [clause = ''] = sentence.split(/;|, (?:for|with|in) `/, 1)
  return clause.replaceAll('`', '').replace(/\.$/, '')
}

/** When nothing is wrong, ids are for programs that search the JSON lines; so is what was not there. */
function formatField(name: string, value: unknown, { paint, all }: { paint: Paint; all: boolean }): string[] {
  if (value === null || (!all && /(^instance$|Ids?$)/.test(name))) return []
  const text = name === 'err' ? formatError(value) : formatValue(value)
  return [`${paint('dim', `${escaped(name)}=`)}${text}`]
}

function formatValue(value: unknown): string {
  if (typeof value !== 'string') return escaped(shortened(JSON.stringify(value)))
  return /^[\w@%+:,./{}-]+$/.test(value) && value.length <= maxValueLength ? value : quoted(value)
}

/** Name, message and code, and where it was thrown. */
function formatError(value: unknown): string {
  if (typeof value !== 'object' || value === null) return formatValue(value)
  const { name = 'Error', message = '', code, stack } = value as Record<string, unknown>
  const text = quoted(`${name}: ${message}${code === undefined ? '' : ` (${code})`}`)
  const [frame] = /^ +at .*/m.exec(String(stack ?? '')) ?? []
  return frame === undefined ? text : `${text} ${escaped(shortened(frame.trim()))}`
}

function quoted(text: string): string {
  return `"${escaped(shortened(text).replaceAll(/["\\]/g, '\\$&'))}"`
}

function shortened(text: string): string {
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

/** Escapes text from outside, so that it cannot move the cursor, begin a line, or reverse the order of characters. */
function escaped(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}

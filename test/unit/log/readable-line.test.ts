import test from 'ava'
import { type LogEventName, logEvents } from '#shared/log/events.ts'
import { createLogger, type LogFields } from '#shared/log/logger.ts'
import { readableLine } from '#shared/log/readable-line.ts'

/** The readable line of an event, without its time. */
function lineOf(event: LogEventName, fields: LogFields = {}): string {
  const lines: string[] = []
  createLogger({ service: 'gateway', level: 'info', format: 'text', output: { write: (line) => lines.push(line) } })(
    event,
    fields,
  )
  const [, text] = /^\d\d:\d\d:\d\d\.\d{3} {2}(.*\n)$/.exec(lines.join('')) ?? []
  return text ?? `no line: ${lines.join('')}`
}

test('a line has the local time, the service, the level, the sentence and the fields', (t) => {
  const time = '2025-01-31T12:00:00.007Z'
  const line = { level: 'info', time, service: 'gateway', pid: 7, event: 'index.built', items: 3, msg: 'It is built.' }
  const here = new Date(time).toTimeString().slice(0, 8)
  const text = readableLine(`${JSON.stringify(line)}\n`, { colors: false })
  t.is(text, `${here}.007  gateway             info   It is built  items=3\n`)
})

test('parts of a sentence that the fields repeat are left out, and so are ids', (t) => {
  const completed = {
    requestId: 'r',
    method: 'GET',
    route: '/lists/{list}',
    status: 200,
    durationMs: 1.5,
    tokenId: 'i',
  }
  const answered = 'A request was answered  method=GET  route=/lists/{list}  status=200  durationMs=1.5'
  t.is(lineOf('request.completed', completed), `gateway             info   ${answered}\n`)
  t.regex(lineOf('service.stopping', { reason: 'SIGTERM' }), /asked to stop {2}reason=SIGTERM\n$/)
  t.regex(lineOf('delivery.attempted', { status: 204, error: null }), /attempt at a delivery ended {2}status=204\n$/)
  for (const name of Object.keys(logEvents)) t.notRegex(lineOf(name as LogEventName), /[`;]|no line/)
})

test('a line about a problem has its ids, and the event name under which the documentation says what to do', (t) => {
  const line = lineOf('request.failed', {
    requestId: 'r-1',
    err: Object.assign(new Error('disk full'), { code: 'ENOSPC' }),
  })
  t.regex(line, /error {2}A request failed .* answered 500 {2}requestId=r-1 {2}err="Error: disk full \(ENOSPC\)" at /)
  t.regex(line, /at .*readable-line\.test\.ts.* {2}\(request\.failed\)\n$/)
  t.regex(lineOf('nats.lost'), /warn {3}The connection to NATS was lost {2}\(nats\.lost\)\n$/)
})

test('external text neither begins a line nor controls the terminal, and its length is limited', (t) => {
  const bad = '\u001b[2J\n\u202e"x"\u2028\u0000\ud800\\'
  const safe = '\\u{1b}[2J\\u{a}\\u{202e}\\"x\\"\\u{2028}\\u{0}\\u{d800}\\\\'
  const line = lineOf('nats_server.warning_reported', {
    text: bad,
    [bad]: { a: bad },
    err: { name: bad, stack: `\n  at ${bad}` },
  })
  t.true(line.includes(`text="${safe}"`), line)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the line must not contain these
  t.notRegex(line.slice(0, -1), /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
  t.true(lineOf('nats_server.warning_reported', { text: 'x'.repeat(5_000) }).length < 400)
})

test('text that is not a line of the log is shown unchanged, except for control characters', (t) => {
  t.is(readableLine('\u001b[1mno JSON\n', { colors: true }), '\\u{1b}[1mno JSON\n')
  t.is(readableLine('[1]\n', { colors: true }), '[1]\n')
})

test('colors distinguish levels, and a line is the same without them', (t) => {
  const line = JSON.stringify({ level: 'warn', time: '', service: 'identity', event: 'nats.lost', msg: 'Lost.' })
  const plain = readableLine(line, { colors: false })
  const colored = readableLine(line, { colors: true })
  t.true(colored.includes('\u001b[33mwarn \u001b[39m'))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors
  t.is(colored.replaceAll(/\u001b\[\d+m/g, ''), plain)
})

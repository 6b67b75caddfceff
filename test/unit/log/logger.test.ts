import test from 'ava'
import { logEvents } from '#shared/log/events.ts'
import { createLogger } from '#shared/log/logger.ts'

function logger(level: 'info' | 'warn' | 'silent') {
  const lines: string[] = []
  return { log: createLogger({ service: 'test', level, output: { write: (line) => void lines.push(line) } }), lines }
}

test('a line has the name, the level and the sentence of its event, and its own fields between them', (t) => {
  const { log, lines } = logger('info')
  log('process.killed', { process: 'gateway', withinMs: 7, token: 'CANARY' })
  const { time, pid, ...line } = JSON.parse(lines[0] ?? '')
  t.deepEqual(Object.entries(line), [
    ['level', 'warn'],
    ['service', 'test'],
    ['event', 'process.killed'],
    ['process', 'gateway'],
    ['withinMs', 7],
    ['token', '[redacted]'],
    ['msg', 'The process was killed because it did not end within 7 ms.'],
  ])
  t.is(pid, process.pid)
  t.is(new Date(time).toISOString(), time)
})

test('the sentence of a line has the values of the fields that it names, and no secret', (t) => {
  for (const [event, { meaning }] of Object.entries(logEvents)) {
    const { log, lines } = logger('info')
    const names = Array.from(meaning.matchAll(/`(\w+)`/g), ([, name = '']) => name)
    log(event as keyof typeof logEvents, Object.fromEntries(names.map((name) => [name, `the ${name}`])))
    const { msg } = JSON.parse(lines[0] ?? '')
    t.false(/`\w+`/.test(msg), msg)
    for (const name of names) t.true(msg.includes(`the ${name}`), msg)
  }
})

test('an event below the level is not logged, and the logger says so', (t) => {
  const { log, lines } = logger('warn')
  for (const event of ['service.started', 'nats.lost', 'service.crashed'] as const) log(event)
  t.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['nats.lost', 'service.crashed'],
  )
  t.deepEqual([log.isEnabled('service.started'), log.isEnabled('nats.lost')], [false, true])
  t.false(logger('silent').log.isEnabled('service.crashed'))
})

test('a line without an event of the table, or with a field that all lines have, does not compile', (t) => {
  const { log } = logger('silent')
  // @ts-expect-error the event is not in the table
  t.throws(() => log('nats.gone'))
  // @ts-expect-error a sentence instead of an event
  t.throws(() => log({ reason: 'x' }, 'Lost.'))
  // @ts-expect-error the event is the first argument
  log('nats.lost', { event: 'item.created' })
  // @ts-expect-error the sentence comes from the table
  log('nats.lost', { msg: 'Lost.' })
})

import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { type LogEventName, logEvents } from '#shared/log/events.ts'
import { atLeast } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { testProcess } from '../../support/processes/process.ts'

const fixture = join(import.meta.dirname, '../../support/programs/service.ts')

function alone(t: ExecutionContext, behavior: string, env: Record<string, string> = {}) {
  return testProcess(t, [process.execPath, fixture, behavior, '--instance', 'sample-1'], {
    env: { ...process.env, ...env },
  })
}

function supervised(t: ExecutionContext, behavior: string) {
  const process_ = testProcess(
    t,
    [process.execPath, fixture, behavior, '--instance', 'sample-1', '--replaces', 'dead'],
    {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  )
  const messages: unknown[] = []
  process_.child.on('message', (message) => messages.push(message))
  return { ...process_, messages }
}

test('a service that gets a signal closes in order and ends with 0', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const service = alone(t, 'closes slowly')
    await service.printed(/service\.started/)
    service.child.kill(signal)
    t.deepEqual(await service.ended, { code: 0, signal: null })
    t.regex(service.stdout(), /closed in order/)
    t.regex(service.stdout(), /service\.stopped/)
  }
})

test('a service without a supervisor notifies a waiting program that it is ready', async (t) => {
  const service = alone(t, 'well')
  await service.printed(/notified the waiting program/)
  t.regex(service.stdout(), /"service\.started"/)
})

test('a service that can no longer work logs the reason, closes in order and exits with 1', async (t) => {
  const service = alone(t, 'fails later')
  t.deepEqual(await service.ended, { code: 1, signal: null })
  t.regex(service.stdout(), /"event":"service\.failed".*the moon is gone/)
  t.regex(service.stdout(), /closed in order/)
})

test('every line of the log is JSON with ISO time, level, service, pid, event and sentence, and contains no secret', async (t) => {
  const service = alone(t, 'well')
  await service.printed(/service\.started/)
  service.child.kill('SIGTERM')
  await service.ended
  const lines = service.stdout().trimEnd().split('\n')
  atLeast(t, lines.length, 3, 'lines')
  for (const line of lines) {
    const entry = JSON.parse(line)
    t.deepEqual(Object.keys(entry).slice(0, 5), ['level', 'time', 'service', 'pid', 'event'])
    t.like(entry, {
      service: 'sample',
      pid: service.pid,
      level: 'info',
      msg: logEvents[entry.event as LogEventName].meaning.replaceAll(/`(\w+)`/g, (_, name) => entry[name]),
    })
    t.regex(entry.time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  }
  t.notRegex(service.stdout(), /CANARY/)
})

test('on a terminal the log is text in colors, without them if they are turned off, and JSON on request', async (t) => {
  const onTerminal = async (env: Record<string, string>) => {
    const command = `${process.execPath} ${fixture} 'closes at once'`
    const service = testProcess(t, ['script', '--quiet', '--return', '--command', command, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env },
    })
    t.like(await service.ended, { code: 0 })
    return service.stdout()
  }
  const [colored, plain, json] = await Promise.all(
    [{}, { NO_COLOR: '1' }, { LISTD_LOG_FORMAT: 'json' }].map((env) => onTerminal(env)),
  )
  t.true(colored?.includes('\u001b[32minfo \u001b[39m  The service is ready  \u001b[2mversion=\u001b[22m'), colored)
  t.regex(plain ?? '', /^[\d:.]{12} {2}sample {14}info {3}The service is ready {2}version=\S+\r\n/)
  t.is(JSON.parse(json?.split('\r\n')[0] ?? '').event, 'service.started')
})

test('the log respects its level', async (t) => {
  const service = alone(t, 'throws later', { LISTD_LOG_LEVEL: 'error' })
  t.is((await service.ended).code, 1)
  t.notRegex(service.stdout(), /"level":"info"/)
})

test('an uncaught error is logged with its stack before the process ends with 1', async (t) => {
  const service = alone(t, 'throws later')
  t.deepEqual(await service.ended, { code: 1, signal: null })
  const [last = ''] = service.stdout().trimEnd().split('\n').slice(-1)
  t.like(JSON.parse(last), { level: 'fatal', event: 'service.crashed', err: { message: 'nobody caught this' } })
})

test('a service that cannot start prints one sentence, without a stack, and ends with 1', async (t) => {
  const service = alone(t, 'cannot start')
  t.deepEqual(await service.ended, { code: 1, signal: null })
  t.is(service.stderr(), 'listd: sample cannot start: the moon is not full.\n')
  t.is(service.stdout(), '')
})

test('an invalid configuration stops a service with every error', async (t) => {
  const service = alone(t, 'well', { LISTD_GATEWAY_PORT: 'x', LISTD_GATEWAY_PROT: '1' })
  t.is((await service.ended).code, 78)
  t.regex(service.stderr(), /gateway\.port: "x" \(from LISTD_GATEWAY_PORT\)/)
  t.regex(service.stderr(), /LISTD_GATEWAY_PROT.*did you mean LISTD_GATEWAY_PORT\?/)
  t.notRegex(service.stderr(), / at /)
})

test('the supervisor is notified that a service is ready and where, or why it cannot start', async (t) => {
  const well = supervised(t, 'well')
  await well.printed(/service\.started/)
  await until(async () => well.messages.length > 0, { what: 'the message that it is ready, which follows its log' })
  t.deepEqual(well.messages, [{ ready: true, address: 'http://127.0.0.1:1' }])
  t.regex(well.stdout(), /"instance":"sample-1","replaces":\["dead"\]/)
  t.is(well.stderr(), '')

  const failed = supervised(t, 'cannot start')
  t.is((await failed.ended).code, 1)
  await until(async () => failed.messages.length > 0, { what: 'the message that it cannot start' })
  t.deepEqual(failed.messages, [{ failed: 'the moon is not full.', exitCode: 1 }])
  t.is(failed.stderr(), '')
})

for (const [behavior, inOrder] of [
  ['closes slowly', true],
  ['never closes', false],
] as const) {
  test(`a service that ${behavior} ends when its supervisor has ended, and has less than 2 s for it`, async (t) => {
    const service = supervised(t, behavior)
    await service.printed(/service\.started/)
    service.child.disconnect()
    await service.ended
    t.regex(service.stdout(), /"reason":"the supervisor is gone","withinMs":1800\b/)
    t.is(/closed in order/.test(service.stdout()), inOrder)
  })
}

test("a service answers its supervisor's heartbeats", async (t) => {
  const service = supervised(t, 'well')
  await until(() => service.messages.length === 1 || service.messages, { what: 'the result of its start' })
  for (const _ of [1, 2]) service.child.send({ ping: true })
  await until(() => service.messages.length === 3 || service.messages, { what: 'two answers after the first message' })
  t.deepEqual(service.messages.slice(1), [{ pong: true }, { pong: true }])
})

test('a service whose supervisor ends while it starts ends too', async (t) => {
  const starting = supervised(t, 'hangs on start')
  await starting.printed(/starting/)
  starting.child.disconnect()
  t.is((await starting.ended).code, 1)
  const booting = supervised(t, 'well')
  booting.child.disconnect()
  await booting.ended
  t.deepEqual(booting.messages, [])
})

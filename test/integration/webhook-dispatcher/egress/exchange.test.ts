import test from 'ava'
import type { Dispatcher } from 'undici'
import { Exchange, type ExchangeConnection } from '#services/webhook-dispatcher/egress/exchange.ts'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'

const shortMs = 50
const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}

test('a head that arrives after the deadline is late, even if the event loop was blocked', (t) => {
  const { exchange, outcomes } = started(shortMs)
  exchange.onRequestStart(controller)
  holdUp(shortMs + 10)
  exchange.onResponseStart(controller, 200, {})
  t.like(outcomes[0], { status: null, error: 'timeout' })
})

test('a connection that is ready after the deadline is not used, even if the event loop was blocked', (t) => {
  const { exchange, outcomes, requests } = started(shortMs)
  holdUp(shortMs + 10)
  exchange.onRequestStart({ ...controller, abort: (reason) => exchange.onResponseError(controller, reason) })
  t.like(outcomes[0], { status: null, error: 'timeout' })
  t.is(requests(), 0)
})

test('an outcome is reported once, whatever follows it', (t) => {
  const { exchange, outcomes, destroyed } = started()
  exchange.onRequestStart(controller)
  exchange.onResponseStart(controller, 200, {})
  exchange.onResponseEnd()
  exchange.interrupt()
  exchange.onResponseError(controller, new Error('late'))
  t.is(outcomes.length, 1)
  t.like(outcomes[0], { status: 200, error: null })
  t.is(destroyed(), 0)
})

test('a request that cannot be written is a protocol error', (t) => {
  const { exchange, outcomes } = started()
  exchange.onResponseError(controller, new TypeError('invalid header'))
  t.like(outcomes[0], { status: null, error: 'protocol' })
})

function started(timeoutMs = 600_000) {
  const outcomes: AttemptOutcome[] = []
  let requests = 0
  let destroyed = 0
  const carrier: ExchangeConnection = {
    dispatch: () => undefined,
    requestStarts() {
      requests += 1
    },
    requestEnded: () => undefined,
    isOnUsedConnection: false,
    receivedBytes: 0,
    marks: null,
    destroy() {
      destroyed += 1
    },
  }
  const request = { headers: [], body: Buffer.from('{}') }
  const settle = (outcome: AttemptOutcome) => outcomes.push(outcome)
  const exchange = new Exchange(carrier, { request, timeoutMs, isDetailed: false, settle })
  exchange.start()
  return { exchange, outcomes, requests: () => requests, destroyed: () => destroyed }
}

function holdUp(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

import test from 'ava'
import type { Dispatcher } from 'undici'
import { type Carrier, Exchange } from '#services/webhook-dispatcher/exchange.ts'
import type { AttemptOutcome } from '#shared/domain/delivery.ts'

const timeoutMs = 50
const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
}

test('a head that comes after the deadline is late, also while the event loop was held up', (t) => {
  const { exchange, outcomes } = started()
  exchange.onRequestStart()
  holdUp(timeoutMs + 10)
  exchange.onResponseStart(controller, 200)
  t.like(outcomes[0], { status: null, error: 'timeout' })
})

test('an outcome is told once, whatever comes after it', (t) => {
  const { exchange, outcomes, destroyed } = started()
  exchange.onRequestStart()
  exchange.onResponseStart(controller, 200)
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

function started(): { exchange: Exchange; outcomes: AttemptOutcome[]; destroyed(): number } {
  const outcomes: AttemptOutcome[] = []
  let destroyed = 0
  const carrier: Carrier = {
    dispatch: () => undefined,
    requestStarts: () => undefined,
    requestEnded: () => undefined,
    isOnUsedConnection: false,
    receivedBytes: 0,
    destroy() {
      destroyed += 1
    },
  }
  const request = { headers: [], body: Buffer.from('{}') }
  const exchange = new Exchange(carrier, { request, timeoutMs, settle: (outcome) => outcomes.push(outcome) })
  exchange.start()
  return { exchange, outcomes, destroyed: () => destroyed }
}

function holdUp(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

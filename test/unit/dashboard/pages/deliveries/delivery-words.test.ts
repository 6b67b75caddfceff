import test from 'ava'
import type { Delivery } from '#client/src/types/user-resources.ts'
import {
  answerOf,
  deliveryTone,
  deliveryWord,
  errorWords,
  nextOf,
  phasesText,
  runOf,
  whyOf,
} from '#services/dashboard/pages/deliveries/delivery-words.ts'
import { attemptErrors } from '#shared/domain/webhook/deliveries/delivery.ts'

const waiting = {
  status: 'pending',
  attempts: 0,
  response: null,
  error: null,
  event: 'item.created',
  nextAttemptAt: '2026-03-01T10:00:00.000Z',
} satisfies Partial<Delivery>

const answered = (status: number) => ({
  ...waiting,
  attempts: 1,
  response: { status, body: '', durationMs: 1 },
})

test('every class of error has a name and an explanation', (t) => {
  t.deepEqual(Object.keys(errorWords).toSorted(), attemptErrors.toSorted())
  for (const error of attemptErrors) t.is(whyOf({ ...waiting, attempts: 1, error }), errorWords[error].why)
})

test('a delivery is described by its state: not sent yet, tried again, received, given up', (t) => {
  t.deepEqual([deliveryWord(waiting), deliveryTone(waiting)], ['waiting', undefined])
  t.deepEqual(
    [deliveryWord({ ...waiting, attempts: 2 }), deliveryTone({ ...waiting, attempts: 2 })],
    ['trying', 'warn'],
  )
  for (const [status, tone] of [
    ['succeeded', 'good'],
    ['failed', 'bad'],
  ] as const) {
    t.deepEqual([deliveryWord({ ...waiting, status }), deliveryTone({ ...waiting, status })], [status, tone])
  }
})

test('the result is the status with its name, or the class of the error', (t) => {
  t.is(answerOf(answered(502)), '502 Bad Gateway')
  t.is(answerOf(answered(599)), '599')
  t.is(answerOf({ ...waiting, attempts: 1, error: 'timeout' }), 'timed out')
  t.is(answerOf(waiting), 'not sent yet')
  t.is(answerOf({ ...waiting, attempts: 1 }), 'being sent')
})

test('statuses that mean different things to the operator of the receiver have separate explanations', (t) => {
  const groups = [[302], [401, 403], [404, 410], [408, 429], [400, 422], [500, 501], [502, 503, 504]]
  const reported = groups.map((group) => new Set(group.map((status) => whyOf(answered(status)))))
  for (const reasons of reported) t.is(reasons.size, 1)
  t.is(new Set(reported.map(([reason]) => reason)).size, groups.length)
})

test('the next step is the next attempt, the turn, the activation of the webhook, or none', (t) => {
  const at = Date.parse(waiting.nextAttemptAt)
  t.is(nextOf(waiting, at - 1), 'Next attempt')
  t.is(nextOf(waiting, at), 'It is sent as soon as its turn comes.')
  t.is(nextOf({ ...waiting, nextAttemptAt: null }, at), 'It is sent when the webhook is active.')
  t.is(nextOf({ ...waiting, status: 'failed', nextAttemptAt: null }, at), 'It is not sent again automatically.')
  t.is(nextOf({ ...waiting, status: 'failed', nextAttemptAt: null, event: 'ping' }, at), 'A test is sent once.')
  t.is(nextOf({ ...waiting, status: 'succeeded' }, at), '')
})

test('the phases of an attempt are shown up to the last one reached', (t) => {
  const phases = { dnsMs: 3, connectMs: 12, tlsMs: null, waitMs: 1_204 }
  t.is(phasesText({ phases }), 'name 3 · connection 12 · wait 1204 ms')
  t.is(phasesText({ phases: { dnsMs: null, connectMs: null, tlsMs: null, waitMs: null } }), '')
  t.is(phasesText({ phases: null }), '')
})

test('an event that a flow emitted names its run, and no other event does', (t) => {
  const data = { flow: { id: 'f', name: 'vote' }, runId: 'r', payload: {} }
  t.is(runOf({ event: 'flow.emit', payload: { data } }), 'r')
  t.is(runOf({ event: 'flow.emit', payload: {} }), null)
  t.is(runOf({ event: 'item.created', payload: { data: { runId: 'of an item' } } }), null)
})

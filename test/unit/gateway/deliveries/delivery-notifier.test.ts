import test from 'ava'
import { createDeliveryNotifier } from '#services/gateway/resources/deliveries/delivery-notifier.ts'

const longMs = 60_000

test('the ring of its delivery wakes a wait', async (t) => {
  const bells = createDeliveryNotifier()
  const [mine, other] = [bells.startWait('mine'), bells.startWait('other')]
  let woken = ''
  const both = [mine.next(longMs).then(() => (woken += 'mine')), other.next(longMs).then(() => (woken += ' other'))]
  bells.notify('mine')
  await both[0]
  t.is(woken, 'mine')
  bells.notify('other')
  await both[1]
  t.is(woken, 'mine other')
})

test('a ring between two waits is not lost, and rings once', async (t) => {
  const bells = createDeliveryNotifier()
  const bell = bells.startWait('d')
  bells.notify('d')
  bells.notify('d')
  await bell.next(longMs)
  let woken = false
  const again = bell.next(longMs).then(() => (woken = true))
  await new Promise(setImmediate)
  t.false(woken)
  bells.notify('d')
  t.true(await again)
})

test('closing wakes every wait, and no new one begins', async (t) => {
  const bells = createDeliveryNotifier()
  const bell = bells.startWait('d')
  const waiting = bell.next(longMs)
  t.false(bells.closing())
  bells.close()
  await waiting
  await bell.next(longMs)
  t.true(bells.closing())
})

test('without a listener nothing happens', (t) => {
  const bells = createDeliveryNotifier()
  bells.startWait('d').end()
  t.notThrows(() => bells.notify('d'))
})

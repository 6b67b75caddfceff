import test from 'ava'
import { assertRedeliverable } from '#shared/domain/webhook/deliveries/redelivery.ts'

const room = { waiting: 999, maxWaiting: 1_000 }

for (const status of ['failed', 'succeeded'] as const) {
  test(`a delivery that ${status} can be sent again`, (t) => {
    t.notThrows(() => assertRedeliverable({ event: 'item.created', status }, room))
  })
}

test('a waiting delivery cannot be sent again', (t) => {
  const reject = () => assertRedeliverable({ event: 'item.created', status: 'pending' }, room)
  t.like(t.throws(reject), { name: 'DELIVERY_PENDING', code: 24003, status: 409 })
})

test('a ping cannot be sent again, whatever its outcome', (t) => {
  for (const status of ['pending', 'failed', 'succeeded'] as const) {
    const error = t.throws(() => assertRedeliverable({ event: 'ping', status }, room))
    t.like(error, { name: 'VALIDATION_FAILED', details: { errors: [{ path: 'delivery' }] } })
  }
})

test('a redelivery counts toward the limit of 1,000', (t) => {
  const reject = () => assertRedeliverable({ event: 'item.created', status: 'failed' }, { ...room, waiting: 1_000 })
  t.like(t.throws(reject), { name: 'WEBHOOK_BACKLOG_FULL', code: 24004, status: 409, details: { max: 1_000 } })
})

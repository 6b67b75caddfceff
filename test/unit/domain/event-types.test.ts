import test from 'ava'
import { streamOf } from '#shared/domain/event.ts'
import { eventTypes } from '#shared/domain/event-types.ts'

test('every kind of resource in the log has its event types, which begin with its name', (t) => {
  for (const [stream, types] of Object.entries(eventTypes)) for (const type of types) t.is(streamOf(type), stream)
})

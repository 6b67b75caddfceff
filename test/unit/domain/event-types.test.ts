import test from 'ava'
import { streamOf } from '#shared/domain/event.ts'
import { eventTypes } from '#shared/domain/event-types.ts'

test('every kind of thing in the log has its changes, which begin with it', (t) => {
  for (const [stream, types] of Object.entries(eventTypes)) for (const type of types) t.is(streamOf(type), stream)
})

import test from 'ava'
import {
  beforeCommit,
  beginning,
  follows,
  isBehind,
  readResumePoint,
  writeResumePoint,
} from '#shared/domain/realtime/position.ts'

const eventId = '0190f5fe-7c00-7a00-8000-000000000001'

test('the id of a frame is read back as it was written', (t) => {
  for (const id of [null, { number: 1, eventId }, { number: 123_456_789_012_345, eventId }]) {
    for (const grant of ['', 'aZ09_-']) t.deepEqual(readResumePoint(writeResumePoint({ id, grant })), { id, grant })
  }
})

test('a text that is not the id of a frame is rejected', (t) => {
  for (const text of [
    '',
    'x',
    '00',
    '0-x',
    `0-${eventId}`,
    `01-${eventId}`,
    `-1-${eventId}`,
    `1e3-${eventId}`,
    '1-x',
    '0.',
    '0.a b',
    '0.a.b',
    `1234567890123456-${eventId}`,
  ]) {
    t.is(readResumePoint(text), undefined, text)
  }
})

test('positions are in the order of commits, and within a commit in the order of its events', (t) => {
  t.true(isBehind({ number: 2, at: 0 }, { number: 1, at: 9 }))
  t.true(isBehind({ number: 1, at: 1 }, { number: 1, at: 0 }))
  t.false(isBehind({ number: 1, at: 0 }, { number: 1, at: 0 }))
  t.true(isBehind({ number: 1, at: 0 }, beforeCommit(1)))
})

test('the next event is the next of the commit, or the first of the next commit; any other means a gap', (t) => {
  t.true(follows({ number: 1, at: 0 }, beginning))
  t.true(follows({ number: 1, at: 0 }, beforeCommit(1)))
  t.true(follows({ number: 1, at: 2 }, { number: 1, at: 1 }))
  t.true(follows({ number: 2, at: 0 }, { number: 1, at: Number.MAX_SAFE_INTEGER }))
  t.false(follows({ number: 1, at: 2 }, { number: 1, at: 0 }))
  t.false(follows({ number: 2, at: 1 }, { number: 1, at: 0 }))
  t.false(follows({ number: 3, at: 0 }, { number: 1, at: 0 }))
})

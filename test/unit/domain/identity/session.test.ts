import test from 'ava'
import { defaultGroupSettings } from '#shared/domain/identity/group-fields.ts'
import { lastUsedIntervalMs, liveSince, sessionEndsAt } from '#shared/domain/identity/session.ts'

const start = 1_700_000_000_000
const seconds = (n: number) => n * 1_000
const week = seconds(604_800)
const session = { createdAt: start, lastUsedAt: start, expiresAt: start + week }
const settings = (changed: object) => ({ ...defaultGroupSettings, ...changed })

test('a session lasts as long as its group allows', (t) => {
  t.is(sessionEndsAt(session, defaultGroupSettings), start + week)
})

test('a shortened setting ends a session earlier', (t) => {
  t.is(sessionEndsAt(session, settings({ sessionLifetimeSeconds: 60 })), start + seconds(60))
})

test('an increased setting does not extend a session beyond its original end', (t) => {
  t.is(sessionEndsAt(session, settings({ sessionLifetimeSeconds: 10_000_000 })), start + week)
})

test('idle time counts from the last use and ends at most a tenth or a second late, never early', (t) => {
  for (const idle of [1, 5, 60, 600, 100_000]) {
    const lastUsedAt = start + seconds(100)
    const end = sessionEndsAt({ ...session, lastUsedAt }, settings({ sessionIdleSeconds: idle }))
    const late = end - lastUsedAt - seconds(idle)
    t.true(late >= 0 && late <= Math.max(seconds(1), seconds(idle) / 10), `${idle}: ${late}`)
  }
})

test('use does not extend a session beyond its lifetime', (t) => {
  const lastUsedAt = start + week - 1
  t.is(sessionEndsAt({ ...session, lastUsedAt }, settings({ sessionIdleSeconds: 600 })), start + week)
})

test('the idle time is extended by the interval at which the last use is recorded', (t) => {
  for (const sessionIdleSeconds of [1, 9, 10, 11, 599, 600, 601, 315_360_000]) {
    const every = lastUsedIntervalMs({ sessionIdleSeconds })
    t.is(
      sessionEndsAt(
        { ...session, expiresAt: Number.MAX_SAFE_INTEGER },
        settings({ sessionIdleSeconds, sessionLifetimeSeconds: 1e12 }),
      ),
      start + seconds(sessionIdleSeconds) + every,
    )
  }
  t.is(lastUsedIntervalMs({ sessionIdleSeconds: null }), seconds(60))
})

test('a session in use when its group gets a short idle time is not ended by it', (t) => {
  // Until then the last use was recorded once a minute, so a session may have been used up to a minute after its `lastUsedAt`.
  for (const ago of [1, 30, 59, 60]) {
    const updatedAt = start + seconds(ago)
    for (const sessionIdleSeconds of [1, 30, 59, 600]) {
      const end = sessionEndsAt(session, settings({ sessionIdleSeconds, updatedAt }))
      t.true(end >= updatedAt + seconds(sessionIdleSeconds), `${ago}: ${sessionIdleSeconds}`)
      t.true(end <= updatedAt + seconds(sessionIdleSeconds + 60), `${ago}: ${sessionIdleSeconds}`)
    }
  }
  const updatedAt = start + seconds(1_000)
  t.is(sessionEndsAt(session, settings({ sessionIdleSeconds: 30, updatedAt })), start + seconds(90))
})

test('a session is live if it began and was used after these times, and otherwise it has ended', (t) => {
  const idle = { sessionIdleSeconds: 60 }
  const idleSince = [0, 1, 5, 6, 7, 59, 60, 61, 100].map((at) => ({ ...idle, updatedAt: start + seconds(at) }))
  for (const changed of [{}, { sessionLifetimeSeconds: 60 }, idle, ...idleSince, { endedCreatedAt: start }]) {
    for (const at of [1, 30, 59, 60, 61, 65, 66, 67, 68, 118, 119, 120, 121, 604_799, 604_800]) {
      const now = start + seconds(at)
      const since = liveSince(settings(changed), now)
      const isLive = session.createdAt > since.createdAt && session.lastUsedAt > since.lastUsedAt
      t.is(isLive, now < sessionEndsAt(session, settings(changed)), `${JSON.stringify(changed)} ${at}`)
    }
  }
})

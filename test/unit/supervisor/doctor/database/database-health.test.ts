import test from 'ava'
import { checkBackupAge } from '#services/supervisor/doctor/backups.ts'
import { checkClock } from '#services/supervisor/doctor/database/database-health.ts'

const day = 86_400_000

test('a backup is due once a week at the latest', (t) => {
  const now = Date.now()
  t.is(checkBackupAge(now - 6 * day, now).state, 'ok')
  t.like(checkBackupAge(null, now), { state: 'note', message: 'none has been written with "listd backup"' })
  t.regex(checkBackupAge(now - 8 * day, now).message, /, 8 days ago$/)
})

test('a clock that differs by a second is a note, by ten it is wrong; a last write counts only if it is in the future', (t) => {
  for (const ms of [0, 500, -500]) t.is(checkClock(ms, 'the clock of the database server').state, 'ok')
  t.is(checkClock(-5_000, 'the clock of the database server').state, 'note')
  t.like(checkClock(60_000, 'the clock of the database server'), {
    state: 'wrong',
    message: 'the clock of the database server is 60 s ahead of the clock of this machine',
  })
  t.is(checkClock(-day, 'the last write of the database').state, 'ok')
  t.is(checkClock(day, 'the last write of the database').state, 'wrong')
})

import test from 'ava'
import { checkSpaceIn } from '#services/supervisor/doctor/database/free-pages.ts'

const mib = 1024 ** 2

test('a large file that is over half free is noted, with how to free the space', (t) => {
  t.is(checkSpaceIn({ bytes: 255 * mib, freeBytes: 200 * mib }).state, 'ok')
  t.is(checkSpaceIn({ bytes: 300 * mib, freeBytes: 150 * mib }).state, 'ok')
  const found = checkSpaceIn({ bytes: 300 * mib, freeBytes: 151 * mib })
  t.like(found, { state: 'note', message: '151 of 300 MiB are free in the file' })
  t.regex(found.fix ?? '', /"listd db compact"/)
})

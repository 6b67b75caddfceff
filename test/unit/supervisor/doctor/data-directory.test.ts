import test from 'ava'
import { checkSpace } from '#services/supervisor/doctor/data-directory.ts'

const gib = 1024 ** 3

test('little space is a note, too little is wrong', (t) => {
  t.is(checkSpace(10 * gib, '/srv').state, 'ok')
  t.is(checkSpace(gib, '/srv').state, 'note')
  t.like(checkSpace(gib / 4, '/srv'), { state: 'wrong', message: '0.3 GiB free for /srv' })
})

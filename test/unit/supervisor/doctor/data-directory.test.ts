import test from 'ava'
import { judgeSpace } from '#services/supervisor/doctor/data-directory.ts'

const gib = 1024 ** 3

test('little space is noted, too little must be mended', (t) => {
  t.is(judgeSpace(10 * gib, '/srv').state, 'ok')
  t.is(judgeSpace(gib, '/srv').state, 'note')
  t.like(judgeSpace(gib / 4, '/srv'), { state: 'wrong', says: '0.3 GiB free for /srv' })
})

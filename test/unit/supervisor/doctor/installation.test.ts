import test from 'ava'
import { checkNode } from '#services/supervisor/doctor/installation.ts'

test('the Node.js of package.json or a later one is sufficient', (t) => {
  for (const version of ['24.0.0', '26.1.0']) t.is(checkNode(version).state, 'ok')
  for (const version of ['20.20.2', '9.9.9']) t.like(checkNode(version), { state: 'wrong' })
})

import test from 'ava'
import { compactText } from '#shared/json/compact.ts'
import { randomJson, seeded } from '../../support/load/random-json.ts'

test('only the white space outside of strings goes', (t) => {
  const random = seeded(4_711)
  for (let round = 0; round < 500; round++) {
    const { written, compact } = randomJson(random)
    t.is(compactText(written), compact)
  }
})

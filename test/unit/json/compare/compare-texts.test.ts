import test from 'ava'
import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

const characters = ['', 'a', 'b', 'Z', 'é', 'e\u0301', '\u0000', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '􏿿'] as const

test('texts are ordered by their code points, as by their UTF-8 bytes', (t) => {
  const random = seeded(3)
  const text = () => Array.from({ length: 3 }, () => pick(random, characters)).join('')
  for (let round = 0; round < 2_000; round++) {
    const [one, other] = [text(), text()]
    const expected = Buffer.compare(Buffer.from(one), Buffer.from(other))
    t.is(Math.sign(compareTexts(one, other)), expected, JSON.stringify([one, other]))
  }
})

import test from 'ava'
import { bandOf, mostOfBand, wordScore, wordWeight } from '#shared/domain/search/score.ts'

test('a word has more weight the fewer items have it, and always some', (t) => {
  t.is(wordWeight({ items: 10, holding: 3 }), Math.log(1 + 7.5 / 3.5))
  for (const items of [1, 10, 10_000, 1_000_000]) {
    const holdings = [0, 1, 5, 9_999, 10_000]
    const weights = holdings.map((holding) => wordWeight({ items, holding }))
    t.true(weights.every((weight) => weight > 0 && Number.isFinite(weight)))
    t.deepEqual(
      weights,
      weights.toSorted((one, other) => other - one),
    )
  }
  t.is(wordWeight({ items: 1_000_000, holding: 5 }), wordWeight({ items: 10_000, holding: 5 }))
})

test('a score grows with the frequency and falls with the length', (t) => {
  t.true(Math.abs(wordScore(2, 30, 20) - (2 * 2.2) / (2 + 1.2 * (0.25 + (0.75 * 30) / 20))) < 1e-12)
  t.is(wordScore(0, 30, 20), 0)
  for (let frequency = 1; frequency < 100; frequency++) {
    t.true(wordScore(frequency + 1, 100, 50) > wordScore(frequency, 100, 50))
    t.true(wordScore(frequency, 101, 50) < wordScore(frequency, 100, 50))
  }
})

test('each frequency is in one band, which has its upper bound', (t) => {
  for (let frequency = 1; frequency < 60_000; frequency++) {
    const band = bandOf(frequency)
    if (mostOfBand(band) < frequency || (band > 1 && mostOfBand(band - 1) >= frequency)) t.fail(`${frequency}`)
  }
  t.deepEqual([1, 8, 9, 16, 17, 51_200].map(bandOf), [1, 8, 9, 9, 10, 21])
})

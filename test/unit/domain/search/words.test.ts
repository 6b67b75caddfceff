import test from 'ava'
import { maxWordLength, runsOf, wordsOf } from '#shared/domain/search/words.ts'
import { corpus } from '../../../support/search/corpus.ts'

for (const [script, cases] of Object.entries(corpus)) {
  for (const [n, [text, words]] of cases.entries()) {
    test(`the words of ${script}, ${n + 1}: ${text || 'nothing'}`, (t) =>
      t.deepEqual(wordsOf(text), words.split(' ').filter(Boolean)))
  }
}

test('words are the same whether the text is composed, decomposed, or in the other case', (t) => {
  const others = [
    (text: string) => text.normalize('NFC'),
    (text: string) => text.normalize('NFD'),
    (text: string) => text.toLowerCase(),
  ]
  for (const [text] of Object.values(corpus).flat())
    for (const other of others) t.deepEqual(wordsOf(other(text)), wordsOf(text))
})

test('adjacent characters that are words form one run, and so does a word', (t) => {
  t.deepEqual(runsOf('寿司 sushi, すし'), [['寿', '司'], ['sushi'], ['す', 'し']])
  t.deepEqual(runsOf('abc寿司def'), [['abc'], ['寿', '司'], ['def']])
  t.deepEqual(runsOf(' – '), [])
})

test('a long word is cut to its beginning, and no surrogate pair is split', (t) => {
  t.deepEqual(wordsOf('a'.repeat(5_000)), ['a'.repeat(maxWordLength)])
  t.deepEqual(wordsOf('𐐨'.repeat(101)), ['𐐨'.repeat(maxWordLength)])
})

test('ill-formed UTF-16 separates words', (t) => {
  t.deepEqual(wordsOf('one\ud800two\udc00three'), ['one', 'two', 'three'])
})

test('a letter with a thousand marks is that letter', (t) => {
  t.deepEqual(wordsOf(`e${'\u0301'.repeat(1_000)}clair`), ['eclair'])
})

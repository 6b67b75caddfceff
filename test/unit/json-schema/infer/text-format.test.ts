import test from 'ava'
import { schemaFormats } from '#shared/json-schema/formats/formats.ts'
import { hasFormat, textFormats } from '#shared/json-schema/infer/text-format.ts'

const texts: [text: string, format: string | undefined][] = [
  ['2026-03-01T10:00:00Z', 'date-time'],
  ['2026-03-01t10:00:00.123456+05:30', 'date-time'],
  ['2026-03-01T10:00:00', 'local-time'],
  ['2026-03-01 10:00', 'local-time'],
  ['2026-03-01T24:00:00Z', undefined],
  ['2026-03-01T10:00:00+24:00', undefined],
  ['2024-02-29', 'date'],
  ['2026-02-29', undefined],
  ['2026-00-01', undefined],
  ['2026-13-01', undefined],
  ['mia@example.com', 'email'],
  ['mia+lists@mail.example.co.uk', 'email'],
  ['mia@localhost', undefined],
  ['.mia@example.com', undefined],
  ['https://example.com/a%20b?q=1#top', 'uri'],
  ['http://localhost:3000', 'uri'],
  ['https://example.com/a b', undefined],
  ['https://example.com/100%', undefined],
  ['/relative', undefined],
  ['0191f3c6-1d2e-7abc-8def-0123456789ab', 'uuid'],
  ['0191f3c6', undefined],
  ['', undefined],
  ['soup', undefined],
]

for (const [text, expected] of texts) {
  test(`${JSON.stringify(text)} is ${expected ?? 'only a text'}, and the validator agrees`, (t) => {
    const found = textFormats.filter((format) => hasFormat(text, format))
    t.deepEqual(found, expected ? [expected] : [])
    for (const format of found) t.not(schemaFormats.get(format)?.(text), false)
  })
}

test('a long text has no format', (t) => {
  t.false(hasFormat(`https://example.com/${'a'.repeat(3_000)}`, 'uri'))
  t.false(hasFormat(`${'a'.repeat(300)}@example.com`, 'email'))
})

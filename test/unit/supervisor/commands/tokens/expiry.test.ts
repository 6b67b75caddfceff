import test from 'ava'
import { parseExpiry } from '#services/supervisor/commands/tokens/expiry.ts'

const now = Date.parse('2026-05-01T12:00:00Z')

test('an expiry is a date, a time with its zone, or a time from now', (t) => {
  const ends: [text: string, at: string][] = [
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:30.5+02:00', '2027-01-31T10:00:30.500Z'],
    ['12h', '2026-05-02T00:00:00.000Z'],
    ['30d', '2026-05-31T12:00:00.000Z'],
    ['4w', '2026-05-29T12:00:00.000Z'],
  ]
  for (const [text, at] of ends) t.is(new Date(parseExpiry(text, now)).toISOString(), at, text)
})

test('anything that is not an expiry, or is in the past, is rejected', (t) => {
  for (const text of ['', 'soon', '30', '30 d', '-1d', '1y', '2027-02-30', '2027-01-31T12:00', '31.1.2027']) {
    t.throws(() => parseExpiry(text, now), { message: /^--expires must be a date such as / }, text)
  }
  for (const text of ['0d', '2026-05-01', '2026-05-01T12:00:00Z']) {
    t.throws(() => parseExpiry(text, now), { message: /^--expires is 2026-05-01T.*, which is in the past\.$/ }, text)
  }
})

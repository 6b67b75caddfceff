import test from 'ava'
import {
  displayNameErrors,
  identityNameErrors,
  identityNameKey,
  normalIdentityName,
} from '#shared/domain/identity/identity.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'

const same: [string, string][] = [
  ['Ada', 'ADA'],
  ['  ada\n', 'ada'],
  ['cafe\u0301', 'CAF\u00c9'],
  ['Straße', 'STRASSE'],
  ['\u212bngstrom', '\u00e5NGSTROM'],
]
for (const [one, other] of same) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are one name`, (t) => {
    t.is(identityNameKey(one), identityNameKey(other))
  })
}

for (const [one, other] of [
  ['ada', 'ada '.repeat(2)],
  ['ada lovelace', 'adalovelace'],
  ['ada', 'adа'], // the last letter is Cyrillic
  ['ada', 'áda'],
  ['ada', '\uff41da'], // full width
] as const) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are two names`, (t) => {
    t.not(identityNameKey(one), identityNameKey(other))
  })
}

test('a name is stored as it was written, trimmed and in NFC', (t) => {
  t.is(normalIdentityName(' Cafe\u0301 Noir '), 'Caf\u00e9 Noir')
})

for (const name of ['a', 'x'.repeat(100), '😀'.repeat(100), 'e\u0301'.repeat(100), 'a@b', '\t tab outside ', '..']) {
  test(`${JSON.stringify(name.slice(0, 20))} is a name`, (t) => t.deepEqual(identityNameErrors(name, 'name'), []))
}

const rejected: Record<string, string> = {
  empty: '',
  'only white space': ' \u3000\ufeff',
  '101 characters': 'x'.repeat(101),
  'a slash': 'staff/ada',
  'U+0000': 'a\u0000b',
  'a line break inside': 'a\nb',
  'a C1 control character': 'a\u0085b',
  DEL: 'a\u007fb',
  'a lone surrogate': 'ada\ud800',
  'a zero-width space': 'a\u200bda',
  'a joiner': 'a\u200dda',
  'a right-to-left mark': 'ada\u200f',
  'a right-to-left override': '\u202eada',
  'a soft hyphen': 'a\u00adda',
  'a filler': 'ada\u3164',
  'a variation selector': 'ada\ufe0f',
  'a line separator inside': 'a\u2028da',
}
for (const [what, name] of Object.entries(rejected)) {
  test(`${what}: rejected with the path`, (t) => {
    t.deepEqual(
      identityNameErrors(name, 'body.name').map(({ path }) => path),
      ['body.name'],
    )
  })
}

test('a display name may hold a slash, joiners and 200 characters, and no control characters or bidirectional marks', (t) => {
  t.deepEqual(displayNameErrors(`Ada / ${'x'.repeat(194)}`, 'displayName'), [])
  for (const right of ['👩\u200d🚀', '❤\ufe0f', 'نامه\u200cای'])
    t.deepEqual(displayNameErrors(right, 'displayName'), [], right)
  for (const wrong of ['', ' ', 'x'.repeat(201), 'a\u0007', '\udc00', 'a\u202eb', 'a\u200bb', 'a\u2066b']) {
    t.is(displayNameErrors(wrong, 'displayName').length, 1, JSON.stringify(wrong))
  }
})

test('folding case makes at most three characters of one, so every key fits its column', (t) => {
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const key = caseFold(String.fromCodePoint(code).normalize('NFC'))
    // Single characters are enough: a text never folds to more characters than its characters do one by one.
    if (key.length > 2 && [...key].length > 3) t.fail(code.toString(16))
  }
  t.is([...identityNameKey('\ufb03'.repeat(100))].length, 300)
})

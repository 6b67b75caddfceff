import test from 'ava'
import { schemaFormats } from '#shared/json-schema/formats/formats.ts'

const formats: [name: string, valid: string[], invalid: string[]][] = [
  ['date-time', ['2026-03-01T10:20:30Z', '2026-03-01t10:20:30.5+01:00'], ['2026-03-01', '2026-02-30T10:20:30Z', '2026-03-01T10:20:30']],
  ['date', ['2024-02-29'], ['2026-02-29', '2026-3-1', '20260301']],
  ['time', ['10:20:30Z', '23:59:60Z'], ['10:20:30', '24:00:00Z']],
  ['duration', ['P1DT2H', 'P4W'], ['P', '1D', 'P1H']],
  ['email', ['a.b+c@example.com'], ['a', 'a@', '@b.c', 'a b@c.d', 'a..b@c.d']],
  ['idn-email', ['實例@例子.測試'], ['實例']],
  ['hostname', ['example.com', 'EXAMPLE.com', 'a', '1a', '127.0.0.1', 'xn--4gbwdl.xn--wgbh1c', 'xn--fa-hia', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`],
    ['-a.com', 'a-', 'a_b', '', '.', 'a.', '.a', 'a..b', 'a b', 'aa--b', `${'a'.repeat(64)}.com`, `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(62)}`,
      'ü.de', 'a。b', 'a\n', 'xn--', 'xn--X', 'xn--a', 'xn--07jt112bpxg', 'xn--al-0ea', 'xn--hello-zed']],
  ['idn-hostname', ['bücher.example', 'example.com', 'faß.de', 'ßς་〇', '۽۾', '실례.테스트', '例子。测试', 'l·l', '͵β', 'א׳ב', 'א״ב', 'ab・ァ', '۰۱', 'ب٠١', 'क्‍ष', 'क्‌ष', 'بي‌بي', 'אב', 'א1', `${'ü'.repeat(57)}.de`],
    ['a b', '-ü', 'ü-', 'üü--ü', '', '。', 'ü。', '〮가', '가〮', 'ـ', '〱', 'a·l', 'l·', '·', '͵s', '͵', 'a׳', '׳ב', 'a״', 'a・b', '・', '۰٠', 'क‍ष', '‍ष', 'aक‌ष', '‌', '\u0903a', '\u0300a',
      'אa', '0א', 'א-', 'a.א1a', 'x☃', 'a\ud800', 'xn--X', 'xn--ü', '✈', 'ü'.repeat(64), 'ü.'.repeat(130), 'ü'.repeat(1_000)]],
  ['ipv4', ['127.0.0.1'], ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5']],
  ['ipv6', ['::1', '2001:db8::', '::ffff:1.2.3.4'], ['1', ':::1', '12345::', 'fe80::1%eth0']],
  ['uri', ['https://a.b/c?d#e', 'urn:x:y'], ['/a', 'a b', 'https://a b', 'https://ü']],
  ['uri-reference', ['/a', '#x', '', '../y'], ['\\\\a', 'a b', '/ü']],
  ['iri', ['https://ü.de/ß?é#ñ'], ['/ü', 'https://a b']],
  ['iri-reference', ['/ü', '#ñ'], ['a b']],
  ['uri-template', ['/a/{b}{?c,d*}'], ['/a/{b', '{a']],
  ['json-pointer', ['', '/a~1b/0'], ['a', '/~2', '#/a']],
  ['relative-json-pointer', ['0#', '1/a'], ['/a', '01/a']],
  ['regex', ['^a+$', '(?<=x)y'], ['(', 'a\\Z', '^(abc]']],
  ['uuid', ['0190e4a0-0000-7000-8000-000000000000'], ['0190e4a0', '0190e4a0-0000-7000-8000-00000000000g']],
] // biome-ignore format: a table

for (const [name, valid, invalid] of formats) {
  test(`format ${name}`, (t) => {
    const check = schemaFormats.get(name)
    for (const text of valid) t.true(check?.(text), text)
    for (const text of invalid) t.false(check?.(text), text)
  })
}

test('these are all the formats that are asserted', (t) => {
  t.deepEqual([...schemaFormats.keys()].sort(), formats.map(([name]) => name).sort())
})

/** Texts on which a backtracking check is slow: a check in quadratic time takes minutes for a megabyte. */
const hostile: ((size: number) => string)[] = [
  (size) => `${'a'.repeat(size)}!`,
  (size) => `a@${'a-'.repeat(size / 2)}`,
  (size) => `a@${'a.'.repeat(size / 2)}!`,
  (size) => `${'a.'.repeat(size / 2)}@`,
  (size) => `http://${'a:'.repeat(size / 2)}@ `,
  (size) => `http://${'%41'.repeat(size / 3)} `,
  (size) => `http://a${'/a'.repeat(size / 2)} `,
  (size) => `http://a?${'?/'.repeat(size / 2)} `,
  (size) => '//@'.repeat(size / 3),
  (size) => `${'1:'.repeat(size / 2)}~`,
  (size) => `P${'1'.repeat(size)}`,
  (size) => `2026-03-01T10:20:30.${'1'.repeat(size)}x`,
  (size) => `${'/~0'.repeat(size / 3)}~`,
  (size) => `{${'a,'.repeat(size / 2)}!`,
  (size) => '(a*'.repeat(size / 3),
  (size) => ' '.repeat(size),
]

for (const [name, check] of schemaFormats) {
  test(`format ${name} takes time linear in the text`, (t) => {
    for (const text of hostile) check(text(1_048_576))
    t.pass()
  })
}

import test from 'ava'
import { cellOf, mostShown } from '#services/dashboard/pages/items/table/cell.ts'

test('a number is shown as it was written', (t) => {
  for (const text of ['9007199254740993', '1e400', '1.50', '-0']) t.deepEqual(cellOf(text), { kind: 'number', text })
})

test('a missing value, null and a flag are distinguished', (t) => {
  t.deepEqual(cellOf(undefined), { kind: 'missing', text: '–' })
  t.deepEqual(cellOf('null'), { kind: 'null', text: 'null' })
  t.deepEqual(cellOf('true'), { kind: 'flag', text: 'true' })
})

test('a text is shown in one line', (t) => {
  t.deepEqual(cellOf('"a\\n\\tb"'), { kind: 'text', text: 'a b' })
})

test("a day is shown in the reader's format, a time in the reader's time zone, and the stored text is kept", (t) => {
  const format = (options: Intl.DateTimeFormatOptions, at: string) =>
    new Intl.DateTimeFormat(undefined, options).format(Date.parse(at))
  t.deepEqual(cellOf('"2026-03-01"'), {
    kind: 'date',
    text: '2026-03-01',
    words: format({ dateStyle: 'medium', timeZone: 'UTC' }, '2026-03-01'),
  })
  for (const text of ['2026-03-01T10:00:00.123Z', '2026-03-01T10:00+01:00'])
    t.deepEqual(cellOf(`"${text}"`), {
      kind: 'date',
      text,
      words: format({ dateStyle: 'medium', timeStyle: 'short' }, text),
    })
  t.deepEqual(cellOf('"2026-03-01T10:00"'), {
    kind: 'date',
    text: '2026-03-01T10:00',
    words: format({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }, '2026-03-01T10:00Z'),
  })
  for (const text of ['2026', '2026-02-30', '2026-03-01T25:00Z', 'on 2026-03-01'])
    t.is(cellOf(`"${text}"`).kind, 'text')
})

test('an object or a long list is described by its size', (t) => {
  t.deepEqual(cellOf('{"a":1,"b":{"c":2}}'), { kind: 'json', text: '{"a":1,"b":{"c":2}}', words: '2 fields' })
  t.like(cellOf('{}'), { words: 'empty object' })
  t.like(cellOf(`[${'[1],'.repeat(1_199)}[1]]`), { words: '1,200 elements' })
  t.like(cellOf(`["${'x'.repeat(20_000)}"]`), { words: 'long array' })
})

test('a list of a few short values shows its elements', (t) => {
  t.deepEqual(cellOf('["a","b"]'), { kind: 'list', texts: ['a', 'b'], more: 0 })
  t.deepEqual(cellOf('[1.0,2,3,4,5]'), { kind: 'list', texts: ['1.0', '2', '3'], more: 2 })
  for (const text of ['[]', '[{"a":1}]', '["a",null]', `["${'x'.repeat(40)}"]`])
    t.like(cellOf(text), { kind: 'json', text })
})

test('a long text is cut between characters, even next to escapes', (t) => {
  const emoji = '\u{1F600}'
  const pieces = ['x', '\\n', '\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00', emoji, 'é']
  for (let seed = 1; seed <= 400; seed++) {
    let text = ''
    for (let n = seed, i = 0; i < 300; i++) {
      n = (n * 1103515245 + 12345) % 2147483648
      text += pieces[Math.floor(n / 65536) % pieces.length]
    }
    const cell = cellOf(`"${text}"`)
    if (!('text' in cell)) return t.fail()
    const whole = (JSON.parse(`"${text}"`) as string).replace(/\s+/g, ' ')
    t.true(cell.text.endsWith('…'))
    t.true(whole.startsWith(cell.text.slice(0, -1)))
    t.true(cell.text.isWellFormed())
    t.true(cell.text.length > mostShown / 2)
  }
})

test('long JSON is cut', (t) => {
  const cell = cellOf(`{"a":"${'x'.repeat(1000)}"}`)
  t.is('text' in cell && cell.text.length, mostShown + 1)
})

test('texts that name items are shown individually, however long they are', (t) => {
  const id = '01890000-0000-7000-8000-000000000001'
  t.deepEqual(cellOf(`["${id}","${id}"]`, true), { kind: 'list', texts: [id, id], more: 0 })
  t.is(cellOf(`["${id}"]`).kind, 'json')
})

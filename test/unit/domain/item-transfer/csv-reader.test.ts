import test from 'ava'
import { createCsvReader, withoutFirstField } from '#shared/domain/item-transfer/csv-reader.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'

type Options = Parameters<typeof createCsvReader>[0]

/** The records of a text that arrives in these pieces. */
function read(pieces: readonly string[], options?: Options) {
  const reader = createCsvReader(options)
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
}

const fieldsOf = (text: string, options?: Options) =>
  read([text], options).map((record) => ('fields' in record ? record.fields : record.problem))

test('fields are separated by commas, semicolons or tabs: the most frequent one in the first line outside quotes', (t) => {
  t.deepEqual(fieldsOf('a,b;c\n1,2;3\n'), [
    ['a', 'b;c'],
    ['1', '2;3'],
  ])
  t.deepEqual(fieldsOf('a;b;c,d\n1;2;3'), [
    ['a', 'b', 'c,d'],
    ['1', '2', '3'],
  ])
  t.deepEqual(fieldsOf('"a;b;c"\td\n'), [['a;b;c', 'd']])
  t.deepEqual(fieldsOf('only\n1\n'), [['only'], ['1']])
  t.deepEqual(fieldsOf('a,b', { delimiter: ';' }), [['a,b']])
})

test('a first line such as sep=; is not a record, and names the delimiter, whatever it is', (t) => {
  const expected = [
    ['a,b', 'c'],
    ['1;2', '3'],
  ]
  t.deepEqual(fieldsOf('sep=|\na,b|c\n1;2|3\n'), expected)
  t.deepEqual(fieldsOf('\uFEFFSEP=\t\r\na,b\tc\r\n1;2\t3'), expected)
  t.deepEqual(fieldsOf('"sep=]"\ra,b]c\r1;2]3\r'), expected)
  t.deepEqual(fieldsOf('sep=^\na,b^c\n1;2^3'), expected)
  t.is(read(['sep=;\na;b\n'])[0]?.line, 2)
  t.deepEqual(fieldsOf('sep=ab;c\n1;2\n'), [
    ['sep=ab', 'c'],
    ['1', '2'],
  ])
  t.deepEqual(fieldsOf('a;b\nsep=,\n'), [['a', 'b'], ['sep=,']])
  t.deepEqual(fieldsOf('sep=;'), [])
})

test('the delimiter is found from the whole header, even if its quotes contain line breaks', (t) => {
  t.deepEqual(fieldsOf('"a\nb,";c\n1;2\n'), [
    ['a\nb,', 'c'],
    ['1', '2'],
  ])
})

test('records and broken records keep their text, with the line break after it', (t) => {
  const text = 'a,b\r\n5" pipe,x\n"1\r\n2",""""\rlast,y'
  t.deepEqual(
    read([text]).map((record) => record.text),
    ['a,b\r\n', '5" pipe,x\n', '"1\r\n2",""""\r', 'last,y'],
  )
})

test('a first field is removed with its delimiter, if it ends there', (t) => {
  t.is(withoutFirstField('"a; ""b""";c;d\n', ';'), 'c;d\n')
  t.is(withoutFirstField('a,b', ','), 'b')
  t.is(withoutFirstField(',b', ','), 'b')
  for (const text of ['a', '"a"x,b', '"a,b', 'a"b,c']) t.is(withoutFirstField(text, ','), null, text)
})

test('quotes protect delimiters, line breaks and doubled quotes', (t) => {
  t.deepEqual(fieldsOf('a,"b ""c"", d","e\r\nf"\n"",\n'), [
    ['a', 'b "c", d', 'e\r\nf'],
    ['', ''],
  ])
})

test('a line ends with CRLF, LF, CR or the file, and an empty one is not a record', (t) => {
  t.deepEqual(fieldsOf('a,b\r\nc,d\n\ne,f\r\r\ng,'), [
    ['a', 'b'],
    ['c', 'd'],
    ['e', 'f'],
    ['g', ''],
  ])
  t.deepEqual(fieldsOf('a\n""\n'), [['a'], ['']])
  t.deepEqual(fieldsOf(''), [])
})

test('records have the number of their first line', (t) => {
  const lines = read(['a,b\n"1\n2\r\n3",x\n\nlast,y']).map(({ line }) => line)
  t.deepEqual(lines, [1, 2, 6])
})

test('a stray quote breaks only the record of its line, and its position is reported', (t) => {
  const records = read(['a,b\n5" pipe,x\n"closed"x,y\ngood,z\n'])
  t.like(records[1], {
    line: 2,
    column: 2,
    problem: 'a quote is in a field that does not begin with one; put such a field in quotes',
  })
  t.like(records[2], {
    line: 3,
    column: 9,
    problem: 'a field continues after its closing quote; a quote within a field is written twice',
  })
  t.deepEqual(records[3], { line: 4, fields: ['good', 'z'], text: 'good,z\n' })
})

test('an unclosed quote cannot be read, and neither can a record that is too long', (t) => {
  t.throws(() => read(['a,b\nx,"y\nz\n']), {
    instanceOf: UnreadableFile,
    message: 'line 2, column 3: a quote is opened here and never closed',
  })
  const error = t.throws(() => read(['a\n', `"${'x'.repeat(20)}`, 'y'.repeat(20)], { maxLength: 30 }), {
    instanceOf: UnreadableFile,
  })
  t.regex(error?.message ?? '', /^line 2: the record that begins here has more than 30 characters/)
})

const parts = [
  'sep=;\n',
  'a',
  'b c',
  ',',
  ';',
  '\t',
  '"',
  '""',
  '"x"',
  '\n',
  '\r\n',
  '\r',
  '"y\nz"',
  '"u ""v"""',
  'ü😀',
  '',
] as const

test('the records are the same wherever a text is split', (t) => {
  const random = seeded(7)
  for (let n = 0; n < 2_000; n++) {
    const text = Array.from({ length: Math.floor(random() * 25) }, () => pick(random, parts)).join('')
    const pieces = cut(text, random)
    t.deepEqual(attempt(pieces), attempt([text]), JSON.stringify(pieces))
  }
})

function attempt(pieces: readonly string[]) {
  try {
    return read(pieces)
  } catch (error) {
    return String(error)
  }
}

function cut(text: string, random: () => number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const length = 1 + Math.floor(random() * 4)
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}

import test from 'ava'
import { createJsonArrayReader, createNdjsonReader } from '#shared/domain/item-transfer/json-readers.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

type Reader = ReturnType<typeof createNdjsonReader>

function read(reader: Reader, pieces: readonly string[]) {
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end()]
}

const cut = (text: string, length: number) => text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []

test('each line that is not empty is a record, and keeps its text', (t) => {
  const text = '{"a":9007199254740993}\r\n\n [1e400]\n"last"'
  for (const length of [1, 2, 3, 100]) {
    t.deepEqual(read(createNdjsonReader(), cut(text, length)), [
      { line: 1, column: 1, text: '{"a":9007199254740993}\r' },
      { line: 3, column: 1, text: ' [1e400]' },
      { line: 4, column: 1, text: '"last"' },
    ])
  }
})

test('a line that is too long is left out, and the next one is read', (t) => {
  const text = `1\n${'x'.repeat(50)}\n2\n`
  for (const length of [1, 7, 100]) {
    t.deepEqual(read(createNdjsonReader({ maxLength: 20 }), cut(text, length)), [
      { line: 1, column: 1, text: '1' },
      { line: 2, column: 1, problem: 'it has more than 20 characters, and is not kept', text: '' },
      { line: 3, column: 1, text: '2' },
    ])
  }
})

test('the elements of an array are records with their positions, and keep their text', (t) => {
  const text = '\n[ {"a": [1, 2],\n "b": "],}"} , 1e400,\n"\\"", [[]] ]\n '
  for (const length of [1, 2, 3, 100]) {
    t.deepEqual(read(createJsonArrayReader(), cut(text, length)), [
      { line: 2, column: 3, text: '{"a": [1, 2],\n "b": "],}"}' },
      { line: 3, column: 16, text: '1e400' },
      { line: 4, column: 1, text: '"\\""' },
      { line: 4, column: 7, text: '[[]]' },
    ])
  }
  t.deepEqual(read(createJsonArrayReader(), ['[ \n ]']), [])
})

test('missing elements are records without text, which are not JSON', (t) => {
  t.deepEqual(
    read(createJsonArrayReader(), ['[1,,]']).map((record) => 'text' in record && record.text),
    ['1', '', ''],
  )
})

const unreadable: [text: string, why: string][] = [
  ['', 'line 1, column 1: the file has no array'],
  ['\n {"a":1}', 'line 2, column 2: expected the array to begin with "["'],
  ['[1,\n2', 'line 2, column 2: the array is not closed'],
  ['[1]\n[2]', 'line 2, column 1: the file continues after its array'],
  ['["a]', 'line 1, column 5: the array is not closed'],
]

test('anything that is not an array cannot be read', (t) => {
  for (const [text, message] of unreadable) {
    t.throws(() => read(createJsonArrayReader(), [text]), { instanceOf: UnreadableFile, message }, text)
  }
  t.throws(() => read(createJsonArrayReader({ maxLength: 10 }), cut(`[1,"${'x'.repeat(50)}"]`, 5)), {
    instanceOf: UnreadableFile,
    message: /^line 1: the record that begins here has more than 10 characters/,
  })
})

test('the elements of an array are the same wherever the text is split', (t) => {
  const random = seeded(3)
  for (let n = 0; n < 300; n++) {
    const elements = Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, 3))
    const text = `[${elements.map(({ written }) => written).join(',')}]`
    const pieces = cut(text, 1 + Math.floor(random() * 6))
    const texts = read(createJsonArrayReader(), pieces).map((record) => 'text' in record && record.text)
    t.deepEqual(
      texts,
      elements.map(({ written }) => written.trim()),
    )
  }
})

import test from 'ava'
import { cellOf } from '#services/dashboard/pages/items/table/cell.ts'
import { cellDraft, mostEdited, typedJson } from '#services/dashboard/pages/items/table/cells/cell-value.ts'

test('texts, numbers and flags are edited as they were written', (t) => {
  t.deepEqual(cellDraft('"a \\"b\\""', []), { kind: 'text', typed: 'a "b"' })
  t.deepEqual(cellDraft('9007199254740993', []), { kind: 'number', typed: '9007199254740993' })
  t.deepEqual(cellDraft('false', []), { kind: 'flag', typed: 'false' })
})

test('a missing value has the kind of the other values in its column', (t) => {
  const others = (...texts: (string | undefined)[]) => texts.map((text) => cellOf(text))
  t.deepEqual(cellDraft(undefined, others('1', undefined, '2')), { kind: 'number', typed: '' })
  t.deepEqual(cellDraft('null', others('true', 'null')), { kind: 'flag', typed: '' })
  t.deepEqual(cellDraft('null', others('true', '1')), { kind: 'text', typed: '' })
  t.deepEqual(cellDraft(undefined, []), { kind: 'text', typed: '' })
})

test('a value that does not fit into a cell is edited on the page of its item, and the reason is shown', (t) => {
  for (const text of ['[1]', '{"a":1}', '"a\\nb"', `"${'x'.repeat(mostEdited)}"`, '1'.repeat(mostEdited + 1)])
    t.regex(String(cellDraft(text, [])), /on the page of the item\.$/)
})

test('typed text is stored as it was typed, and only as a value of its kind', (t) => {
  const json = (kind: 'text' | 'number' | 'flag', typed: string) => typedJson({ kind, typed })
  t.is(json('text', ' 4 '), '" 4 "')
  for (const text of ['9007199254740993', '1e400', '-0.50']) t.is(json('number', ` ${text} `), text)
  for (const text of ['', '04', '1,5', '.5', 'NaN', '0x1']) t.is(json('number', text), null)
  t.is(json('flag', 'true'), 'true')
  t.is(json('flag', ''), null)
})

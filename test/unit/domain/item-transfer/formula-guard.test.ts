import test from 'ava'
import { withGuard, withoutGuard } from '#shared/domain/item-transfer/formula-guard.ts'

const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', "'=1", "''@x"]
const others = ['', 'a', ' =1', '1-2', "'", "'a", "it's"]

test('a text that a spreadsheet would run gets an apostrophe before it, and any other stays unchanged', (t) => {
  for (const text of formulas) t.is(withGuard(text), `'${text}`)
  for (const text of others) t.is(withGuard(text), text)
})

test('every text is restored', (t) => {
  for (const text of [...formulas, ...others]) t.is(withoutGuard(withGuard(text)), text)
})

import test from 'ava'
import { summaryOf } from '#services/dashboard/pages/item/form/rules/summary.ts'

const reported: [text: string, summary: string][] = [
  ['{"n":1.0,"title":"Soup"}', 'Soup'],
  ['{"on":true,"n":1.0,"kind":"paid"}', '1.0'],
  ['{"title":"","a":{"b":1}}', ''],
  ['["a",1e400,null,{}]', 'a, 1e400'],
  ['"text"', 'text'],
  [`"${'x'.repeat(90)}"`, `${'x'.repeat(60)}…`],
]
for (const [text, summary] of reported)
  test(`${text.slice(0, 30)} is ${summary}`, (t) => t.is(summaryOf(text), summary))

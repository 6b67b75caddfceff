import test from 'ava'
import { messageOfFinding, schemaFindings, syntaxFinding } from '#services/dashboard/pages/item/draft-check.ts'

const text = `{
  "title": "a",
  "steps": [{ "minutes": "x" }]
}`
const error = (errors: { path: string; pointer?: string; message: string }[]) => ({
  details: { errors: errors.map((one) => ({ ...one, msg: one.message })) },
})

test('a violation of the schema is found at its pointer in the text', (t) => {
  const findings = schemaFindings(
    text,
    error([
      { path: 'data.steps.0.minutes', pointer: '/steps/0/minutes', message: 'must be number' },
      { path: 'data', pointer: '', message: 'must have the property "slug"' },
    ]),
  )
  const [first, second] = findings
  t.is(text.slice(first?.from, first?.to), '"x"')
  t.is(second?.from, 0)
  t.deepEqual(findings.map(messageOfFinding), [
    '/steps/0/minutes must be number',
    'the data must have the property "slug"',
  ])
})

test('at most a hundred violations are shown', (t) => {
  const many = Array.from({ length: 150 }, (_, n) => ({ path: `data.${n}`, pointer: `/${n}`, message: 'no' }))
  t.is(schemaFindings('{}', error(many)).length, 100)
})

test('a text that is not valid JSON has one finding, at the position of the error, with its line', (t) => {
  const wrong = '{\n  "a": 1,\n  b: 2\n}'
  const finding = syntaxFinding(wrong)
  t.is(finding?.from, wrong.indexOf('b:'))
  t.is(finding && messageOfFinding(finding), 'a key in double quotes is expected here (line 3)')
  t.is(syntaxFinding(text), null)
  t.is(syntaxFinding('{"a":1,"a":2}')?.message, 'a key is repeated in one object')
})

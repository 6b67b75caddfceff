import test from 'ava'
import { parse } from '#client/src/json.ts'
import { boundsText } from '#services/dashboard/pages/item/form/rules/bounds-text.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'

const reported: [schema: string, kind: 'number' | 'text' | 'array' | 'boolean', text: string | null][] = [
  ['{"type":"integer","minimum":0,"maximum":9007199254740993}', 'number', 'whole number, 0 to 9007199254740993'],
  ['{"type":["integer","number"]}', 'number', null],
  ['{"exclusiveMinimum":0,"multipleOf":0.5}', 'number', 'greater than 0, a multiple of 0.5'],
  ['{"minimum":0}', 'number', 'at least 0'],
  ['{"exclusiveMaximum":5}', 'number', 'less than 5'],
  ['{"minLength":0,"maxLength":80}', 'text', 'at most 80 characters'],
  ['{"minLength":2}', 'text', 'at least 2 characters'],
  ['{"minItems":1,"maxItems":5}', 'array', '1 to 5 elements'],
  ['{"minItems":1}', 'boolean', null],
]
for (const [schema, kind, text] of reported) {
  test(`${kind} ${schema}: ${text}`, (t) => t.is(boundsText(parse(schema) as SchemaObject, kind), text))
}

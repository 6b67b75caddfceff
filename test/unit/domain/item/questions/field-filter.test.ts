import test from 'ava'
import type { FilteredField } from '#shared/domain/item/filters.ts'
import { readFieldFilter } from '#shared/domain/item/questions/field-filter.ts'
import type { Question } from '#shared/domain/item/questions/question.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const not = (of: Question): Question => ({ kind: 'not', of })

const good: [field: FilteredField, source: string, question: Question][] = [
  ['size', 'gte:10', { kind: 'number', field: 'size', set: { kind: 'range', min: 10, max: null } }],
  ['createdAt', 'in:1970-01-01', { kind: 'number', field: 'createdAt', set: { kind: 'any-of', numbers: [0] } }],
  [
    'updatedAt',
    'not:before:1970-01-01',
    not({ kind: 'number', field: 'updatedAt', set: { kind: 'range', min: null, max: 0 } }),
  ],
  ['version', 'starts:1.', { kind: 'version', filter: { kind: 'starts', text: '1.' } }],
  ['readonly', 'true', { kind: 'flag', field: 'readonly', value: true }],
  ['activated', 'not:0', not({ kind: 'flag', field: 'activated', value: false })],
  ['tagged', 'Red, ,sweet', { kind: 'tagged', anyOf: ['red', 'sweet'] }],
  ['tagged', 'null', not({ kind: 'tagged', anyOf: null })],
  ['tagged', 'not:draft', not({ kind: 'tagged', anyOf: ['draft'] })],
  ['id', `in:${id}`, { kind: 'id', ids: [id] }],
  ['id', `not:${id}`, not({ kind: 'id', ids: [id] })],
  ['identityId', `in:${id}`, { kind: 'owner', ids: [id] }],
  ['identityId', `not:eq:${id}`, not({ kind: 'owner', ids: [id] })],
  ['identityId', 'null', not({ kind: 'owner', ids: null })],
  ['identityId', 'not:null', not(not({ kind: 'owner', ids: null }))],
]

for (const [field, source, question] of good) {
  test(`${field}=${source} is read`, (t) => {
    t.deepEqual(readFieldFilter(field, source), question)
  })
}

const bad: [field: FilteredField, source: string, error: RegExp][] = [
  ['size', 'big', /must be a number/],
  ['size', 'null', /must be a number/],
  ['size', 'before:1', /must be a number/],
  ['createdAt', 'soon', /must be a date/],
  ['createdAt', 'null', /must be a date/],
  ['updatedAt', 'starts:2026-01-01', /must be a date/],
  ['updatedAt', 'on:2026-01', /must have a day/],
  ['readonly', 'perhaps', /true or false/],
  ['activated', 'any', /true or false/],
  ['activated', 'null', /true or false/],
  ['tagged', ' , ', /name a tag/],
  ['tagged', 'not:', /name a tag/],
  ['tagged', Array.from({ length: 21 }, (_, n) => `t${n}`).join(), /at most 20/],
  ['tagged', 'in:a,b', /must name tags; each must be 1 to 50 letters/],
  ['tagged', 'not:eq:a', /must name tags/],
  ['tagged', 'a,null', /must have either null or tags/],
  ['id', 'soup', /id of an item/],
  ['id', 'null', /id of an item/],
  ['identityId', 'ada', /id of an identity/],
  ['identityId', `in:${id},`, /id of an identity/],
]

for (const [field, source, error] of bad) {
  test(`${field}=${source.slice(0, 30)} is an error`, (t) => {
    const read = readFieldFilter(field, source)
    t.regex('error' in read ? read.error : '', error)
  })
}

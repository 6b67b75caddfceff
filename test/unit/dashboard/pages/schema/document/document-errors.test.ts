import test from 'ava'
import {
  changeErrors,
  serviceErrors,
  syntaxErrorOf,
} from '#services/dashboard/pages/schema/document/document-errors.ts'

const text = `{
  "scope": "cook book",
  "lists": {
    "recipes": {
      "name": 7,
      "schema": { "type": "objekt" },
      "indexes": { "slug": { "pointer": "slug" } }
    }
  }
}`

test('an error of the service is at its path in the text, by line and column, in the order of the text', (t) => {
  const errors = serviceErrors(text, [
    { path: 'lists.recipes.indexes.slug.pointer', message: 'is not a JSON Pointer' },
    { path: 'lists.recipes.schema.type', message: 'must be a type' },
    { path: 'scope', message: 'must be letters' },
  ])
  t.deepEqual(
    errors.map(({ from, to, line, column, message }) => [line, column, text.slice(from, to), message]),
    [
      [2, 12, '"cook book"', 'scope must be letters'],
      [6, 27, '"objekt"', 'lists.recipes.schema.type must be a type'],
      [7, 41, '"slug"', 'lists.recipes.indexes.slug.pointer is not a JSON Pointer'],
    ],
  )
})

test('an error about a missing value is at the value that should contain it', (t) => {
  const [whole, missing] = serviceErrors(text, [
    { path: '', message: 'must be an object' },
    { path: 'lists.recipes.tags', message: 'is required' },
  ])
  t.deepEqual([whole?.line, whole?.column, whole?.message], [1, 1, 'the document must be an object'])
  t.deepEqual([missing?.line, missing?.message], [4, 'lists.recipes.tags is required'])
})

test('a key that contains dots, or that a path shortens because of its length, is found', (t) => {
  const long = 'k'.repeat(400)
  const document = `{"a": {"x": 0}, "a.b": {"c": 1}, "${long}": [7]}`
  const [dotted, shortened] = serviceErrors(document, [
    { path: 'a.b.c', message: 'one' },
    { path: `${'k'.repeat(300)}….0`, message: 'two' },
  ])
  t.is(document.slice(dotted?.from, dotted?.to), '1')
  t.is(document.slice(shortened?.from, shortened?.to), '7')
})

test('the errors of a change are at the list or index in the document', (t) => {
  const errors = changeErrors(text, [
    { list: 'recipes', errors: [{ message: 'Locked.' }] },
    { list: 'recipes', index: 'slug', errors: [{ message: 'One.' }, { message: 'Two.' }] },
    { list: 'other' },
  ])
  t.deepEqual(
    errors.map(({ line, message }) => [line, message]),
    [
      [4, 'Locked.'],
      [7, 'One.'],
      [7, 'Two.'],
    ],
  )
})

test('text that is not valid JSON has one error, where it stops being valid', (t) => {
  t.is(syntaxErrorOf(text), null)
  const { line, column, message } = syntaxErrorOf('{\n  "a": 1,\n}') ?? {}
  t.deepEqual([line, column, message], [3, 1, 'a key in double quotes is expected here'])
  t.like(syntaxErrorOf(''), { from: 0, line: 1, column: 1 })
})

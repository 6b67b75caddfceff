import test from 'ava'
import {
  documentOptions,
  expressionAt,
  membersBehind,
  type Options,
} from '#services/dashboard/pages/flows/editor/flow-options.ts'
import { helperNamesIn, openAt } from '#services/dashboard/pages/flows/editor/flow-place.ts'
import { nodeTypes } from '#shared/domain/flow/language/properties.ts'
import { pointerAt } from '#shared/json/text/place.ts'

const named = { lists: ['cards', 'votes'], webhooks: [['w-1', 'Mail']] as const }

/** The completions at the `¦` of a text. */
function at(text: string): Options {
  const place = text.indexOf('¦')
  const whole = text.replace('¦', '')
  return documentOptions(whole, place, pointerAt(whole, place), named)
}
const keysAt = (text: string) => at(text).keys.map(([name]) => name)

test('the properties of each place are offered', (t) => {
  t.true(keysAt('{ ¦').includes('helpers'))
  t.deepEqual(keysAt('{"entry": {¦'), ['type', 'method', 'path', 'input', 'public'])
  t.deepEqual(keysAt('{"nodes": [{¦'), ['id', 'type'])
  t.deepEqual(keysAt('{"nodes": [{¦, "type": "compute", "id": "a"'), ['id', 'type', 'value'])
  t.true(keysAt('{"nodes": [{"type": "require"}, {"type": "list-items", ¦}]}').includes('where'))
  t.deepEqual(keysAt('{"nodes": [{"type": "switch", "cases": [{¦'), ['when', 'port'])
  t.deepEqual(keysAt('{"nodes": [{"type": "constructor", ¦'), ['id', 'type'])
})

test('the offered values are those that the place accepts', (t) => {
  const values: [text: string, offered: readonly unknown[]][] = [
    ['{"nodes": [{"type": ¦', nodeTypes],
    ['{"nodes": [{"type": "get-item", "list": ¦', ['cards', 'votes']],
    ['{"nodes": [{"type": "get-item", "required": ¦', [true, false]],
    ['{"nodes": [{"type": "list-items", "direction": ¦', ['asc', 'desc']],
    ['{"nodes": [{"type": "emit", "webhooks": [¦', ['w-1']],
    ['{"entry": {"method": ¦', ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']],
    ['{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [[¦', ['a', 'b']],
    ['{"nodes": [{"id": "a"}, {"id": "b"}], "edges": [["a", ¦', ['a', 'b']],
    ['{"nodes": [{"id": "a", "type": "condition"}], "edges": [["a", "b", ¦', ['true', 'false']],
    ['{"nodes": [{"id": "a", "cases": [{"port": "p"}]}], "edges": [["a", "b", ¦', ['p', 'default']],
    ['{"nodes": [{"type": "compute", "__proto__": ¦', []],
    ['{"layout": {"x": ¦', []],
  ]
  for (const [text, offered] of values) t.deepEqual(at(text).values, offered, text)
})

test('expressions are distinguished from other texts, and the names available to them are known', (t) => {
  const names = (text: string) => {
    const place = text.indexOf('¦')
    const whole = text.replace('¦', '')
    return expressionAt(whole, place, pointerAt(whole, place))?.names.includes('item')
  }
  t.is(names('{"nodes": [{"type": "compute", "value": "¦"}]}'), false)
  t.is(names('{"nodes": [{"type": "emit", "each": "[1]", "payload": "¦"}]}'), true)
  t.is(names('{"nodes": [{"type": "emit", "payload": "1", "each": "¦"}]}'), false)
  t.is(names('{"nodes": [{"type": "list-items", "where": {"a": "¦'), false)
  t.is(names('{"nodes": [{"type": "list-items", "where": {"a": {"filter": "¦'), false)
  t.is(names('{"nodes": [{"type": "switch", "cases": [{"when": "¦'), false)
  t.is(names('{"helpers": "¦'), false)
  for (const other of [
    '{"nodes": [{"type": "require", "message": "¦"}]}',
    '{"nodes": [{"type": "switch", "cases": [{"port": "¦"}]}]}',
    '{"nodes": [{"id": "¦"}]}',
    '{"name": "¦"}',
  ])
    t.is(names(other), undefined, other)
})

test('the members that can be read after a name are offered', (t) => {
  const text = '{"nodes": [{"id": "card", "type": "get-item"}, {"type": "compute", "id": "sum"}]}'
  t.deepEqual(membersBehind(text, ['steps'], []), ['card', 'sum'])
  t.true(membersBehind(text, ['steps', 'card'], []).includes('data'))
  for (const path of [['steps', 'sum'], ['steps', 'card', 'data'], ['toString'], ['input', 'a']])
    t.deepEqual(membersBehind(text, path, ['a']), [], path.join('.'))
  t.deepEqual(membersBehind(text, ['input'], ['a', 'b']), ['a', 'b'])
  t.true(membersBehind(text, ['identity'], []).includes('displayName'))
})

test('names that helpers declare are found while the text is typed', (t) => {
  t.deepEqual(helperNamesIn(String.raw`{"helpers": "let a = \"let b = 1\"; function f(x) = x;", "nodes": [`), [
    'a',
    'b',
    'f',
  ])
  t.deepEqual(helperNamesIn('{}'), [])
})

test('the string and the objects around a position are known, even if none is closed yet', (t) => {
  t.deepEqual(openAt('{"a": [1, "b', 12), { open: [0, 6], string: 10 })
  t.deepEqual(openAt('{"a": [1, "b"', 13), { open: [0, 6], string: null })
  t.deepEqual(openAt('{"a{": 1}', 9), { open: [], string: null })
})

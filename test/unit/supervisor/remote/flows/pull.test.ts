import test from 'ava'
import { readFlowFile, textsOf } from '#services/supervisor/remote/flows/flow-file.ts'
import { readKeptFlow } from '#services/supervisor/remote/flows/kept-flow.ts'
import { definitionText, fileNameOf } from '#services/supervisor/remote/flows/pull.ts'

const answer =
  '{"id":"f1","name":"Vote","version":3,"document":{"10":9007199254740993,"2":1.0},"tests":{"tests":[]},"activated":false,"logged":"all"}'

test('a pulled file is what push reads, byte for byte except for white space', (t) => {
  const text = definitionText(readKeptFlow(answer))
  t.is(text.split('\n')[1], '  "document": { "10": 9007199254740993, "2": 1.0 },')
  const { flow, findings } = readFlowFile(text)
  t.deepEqual(findings, [])
  t.deepEqual(flow && textsOf(flow), { document: '{"10":9007199254740993,"2":1.0}', tests: '{"tests":[]}' })
  t.deepEqual(flow?.settings, { activated: false, logged: 'all' })

  const untested = definitionText(readKeptFlow(answer.replace('{"tests":[]}', 'null')))
  t.is(readFlowFile(untested).flow?.tests, null)
})

const names: [name: string, file: string][] = [
  ['Vote for a card', 'vote-for-a-card.json'],
  ['../../etc/passwd\u0000', 'etc-passwd.json'],
  ['Größe 2.0', 'größe-2-0.json'],
  ['…', 'flow.json'],
  ['x'.repeat(200), `${'x'.repeat(50)}.json`],
  ['taken', 'taken-f1.json'],
]

test('a flow is in a file with its name, and never outside the folder', (t) => {
  for (const [name, file] of names) t.is(fileNameOf({ name, id: 'f1' }, new Set(['taken.json'])), file)
})

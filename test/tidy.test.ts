import test, { type ExecutionContext } from 'ava'
import { cycleFindings } from './support/tidy/cycles.ts'
import { mirrorFindings } from './support/tidy/mirrors.ts'
import { pageFindings } from './support/tidy/pages.ts'
import { roomFindings } from './support/tidy/rooms.ts'
import { longFiles, longFunctions } from './support/tidy/sizes.ts'
import { type Finding, readSourceFiles, type SourceFile, toSourceFile } from './support/tidy/source-files.ts'
import { nameFindings, textFindings } from './support/tidy/text-rules.ts'

const files = readSourceFiles()

function isTidy(t: ExecutionContext, findings: readonly Finding[]): void {
  if (findings.length === 0) t.pass()
  else t.fail(findings.map(told).join('\n'))
}

const told = ({ path, line, remedy }: Finding) => `${path}:${line}: ${remedy}`

test('rooms are entered by their doors', (t) => isTidy(t, roomFindings(files)))

test('nothing is imported in a ring', (t) => isTidy(t, cycleFindings(files)))

test('every line is where it may be', (t) => isTidy(t, textFindings(files)))

test('file names say what files hold', (t) => isTidy(t, nameFindings(files)))

test('pages name files that are there', (t) => isTidy(t, pageFindings(files)))

test('unit tests stand where their sources stand', (t) => isTidy(t, mirrorFindings(files)))

test('no file is too long to be read in one go', (t) => {
  for (const finding of longFunctions(files)) t.log(told(finding))
  isTidy(t, longFiles(files))
})

const all = (made: readonly SourceFile[]) =>
  [roomFindings, cycleFindings, textFindings, nameFindings, pageFindings, mirrorFindings, longFiles].flatMap((rule) =>
    rule(made),
  )

const untidy: [path: string, text: string, told: RegExp][] = [
  ['shared/domain/x.ts', "import { readFile } from 'node:fs/promises'", /^shared\/domain\/x\.ts:1: .*pure/],
  ['shared/domain/x.ts', "import {\n  a,\n} from '#shared/data/y.ts'", /^shared\/domain\/x\.ts:3: .*pass the value in/],
  ['shared/domain/x.ts', '\n  const at = Date.now()', /^shared\/domain\/x\.ts:2: .*no clock/],
  ['shared/bus/x.ts', "import { a } from '#services/gateway/context.ts'", /shared never knows a service/],
  ['shared/bus/x.ts', "import { a } from '../data/items.ts'", /write #shared\/data\/items\.ts/],
  ['shared/bus/x.ts', "import { a } from '#shared/bus/y.ts'", /write it relative/],
  ['shared/bus/x.ts', "import { a } from './y'", /with its ending/],
  ['services/gateway/x.ts', "import { a } from '#services/identity/context.ts'", /services never import each other/],
  ['services/gateway/x.ts', "const a = await import('#services/identity/main.ts')", /services never import each other/],
  ['services/gateway/http/x.ts', "import { a } from '../resources/index.ts'", /the order is main/],
  ['services/gateway/resources/lists/x.ts', "import { a } from '../items/y.ts'", /resources\/lists knows no other/],
  ['shared/json/x.ts', "import { a } from '#shared/domain/limits.ts'", /shared\/json knows only itself/],
  ['services/gateway/x.ts', "import type { Knex } from 'knex'", /shared\/data/],
  ['services/gateway/x.ts', "import { connect } from 'nats'", /shared\/bus/],
  ['services/identity/x.ts', "import { server } from '@hapi/hapi'", /services\/gateway only/],
  ['services/gateway/x.ts', "import { Client } from 'undici'", /services\/webhook-dispatcher/],
  ['services/gateway/x.ts', "import { spawn } from 'node:child_process'", /only the supervisor/],
  ['services/gateway/x.ts', "import { a } from '../../test/support/until.ts'", /no part of the product/],
  ['services/gateway/x.ts', "import { a } from '@testcontainers/nats'", /add it to the dependencies/],
  ['services/gateway/x.ts', 'const port = process.env.PORT', /a setting in shared\/config/],
  ['services/gateway/x.ts', "await fetch('https://example.com')", /HTTP client/],
  ['services/gateway/x.ts', "db.get('select id from items where id = ?')", /SQL belongs into shared\/data/],
  ['services/gateway/x.ts', 'export default {}', /by name/],
  ['test/integration/gateway/x.test.ts', 'const askedAt = performance.now()', /no time that passed/],
  ['services/gateway/x.ts', "export * from './y.ts'", /from where it is defined/],
  ['services/gateway/helpers.ts', '', /name the file after what it holds/],
  ['services/gateway/index.ts', '', /no barrels/],
  ['services/gateway/someThing.ts', '', /lower-case words/],
  ['services/gateway/x.ts', '\n'.repeat(400), /has 401 lines/],
  ['docs/x.md', 'The rule is in `../shared/domain/nothing.ts`.', /shared\/domain\/nothing\.ts is not there/],
  ['test/unit/domain/nothing.test.ts', '', /name it after a file/],
]

test('the rules find what they forbid, and name file, line and remedy', (t) => {
  for (const [path, text, expected] of untidy) {
    t.regex(
      all([toSourceFile(path, text)])
        .map(told)
        .join('\n'),
      expected,
      `${path}: ${text}`,
    )
  }
  const ring = [
    toSourceFile('shared/bus/a.ts', "import { b } from './b.ts'"),
    toSourceFile('shared/bus/b.ts', "import { a } from './a.ts'"),
  ]
  t.regex(all(ring).map(told).join(), /closes a ring: shared\/bus\/a\.ts -> shared\/bus\/b\.ts -> shared\/bus\/a\.ts/)
})

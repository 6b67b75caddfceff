import test, { type ExecutionContext } from 'ava'
import packageFile from '../package.json' with { type: 'json' }
import tsconfig from '../tsconfig.json' with { type: 'json' }
import { cycleFindings } from './support/tidy/cycles.ts'
import { mirrorFindings } from './support/tidy/mirrors.ts'
import { pageFindings } from './support/tidy/pages.ts'
import { pictureFindings } from './support/tidy/picture.ts'
import { readingListFindings } from './support/tidy/reading-lists.ts'
import { climbFindings, roomFindings } from './support/tidy/rooms.ts'
import { fullFolders, longFiles, longFunctions } from './support/tidy/sizes.ts'
import { type Finding, readSourceFiles, type SourceFile, toSourceFile } from './support/tidy/source-files.ts'
import { statementFindings } from './support/tidy/statements.ts'
import { nameFindings, textFindings } from './support/tidy/text-rules.ts'

const files = readSourceFiles()

function isTidy(t: ExecutionContext, findings: readonly Finding[]): void {
  if (findings.length === 0) t.pass()
  else t.fail(findings.map(lineOf).join('\n'))
}

const lineOf = ({ path, line, remedy }: Finding) => `${path}:${line}: ${remedy}`

test('rooms are entered by their doors', (t) => isTidy(t, roomFindings(files)))

test('no import climbs far', (t) => isTidy(t, climbFindings(files)))

test("tsc and esbuild know the file names of Node.js's imports, in the dashboard too", (t) => {
  const { '#package.json': _file, ...folders } = packageFile.imports
  const paths = Object.fromEntries(Object.entries(folders).map(([name, folder]) => [name, [folder]]))
  // Only esbuild resolves imports of pages of docs.
  t.deepEqual({ ...tsconfig.compilerOptions.paths }, { ...paths, '#docs/*': ['./docs/*'] } as object)
})

test('no imports form a cycle', (t) => isTidy(t, cycleFindings(files)))

test('every line is allowed in its place', (t) => isTidy(t, textFindings(files)))

test('statements are written with sql', (t) => isTidy(t, statementFindings(files)))

test('file names say what the files contain', (t) => isTidy(t, nameFindings(files)))

test('pages name existing files', (t) => isTidy(t, pageFindings(files)))

test('the picture of rooms has the arrows of the imports', (t) => isTidy(t, pictureFindings(files)))

test('reading lists follow the imports', (t) => isTidy(t, readingListFindings(files)))

test('unit tests are at the place of their sources', (t) => isTidy(t, mirrorFindings(files)))

test('no file and no function is too long to be read in one go', (t) => {
  isTidy(t, [...longFiles(files), ...longFunctions(files)])
})

test('no folder has too many files to be taken in at a glance', (t) => isTidy(t, fullFolders(files)))

const rules = [
  roomFindings,
  climbFindings,
  cycleFindings,
  textFindings,
  nameFindings,
  pageFindings,
  mirrorFindings,
  longFiles,
  longFunctions,
  fullFolders,
  statementFindings,
]
const all = (files: readonly SourceFile[]) => rules.flatMap((rule) => rule(files))

const untidy: [path: string, text: string, expected: RegExp][] = [
  ['shared/domain/x.ts', "import { readFile } from 'node:fs/promises'", /^shared\/domain\/x\.ts:1: .*pure/],
  ['shared/domain/x.ts', "import {\n  a,\n} from '#shared/data/y.ts'", /^shared\/domain\/x\.ts:3: .*pass the value in/],
  ['shared/domain/x.ts', '\n  const at = Date.now()', /^shared\/domain\/x\.ts:2: .*no clock/],
  ['shared/bus/x.ts', "import { a } from '#services/gateway/context.ts'", /shared never knows a service/],
  ['shared/bus/x.ts', "import { a } from '../data/items.ts'", /write #shared\/data\/items\.ts/],
  ['shared/bus/x.ts', "import { a } from '#shared/bus/y.ts'", /write it relative/],
  ['services/gateway/a/b/c/x.ts', "import { a } from '../../../y.ts'", /write #services\/gateway\/y\.ts/],
  ['services/dashboard/a/b/c/x.tsx', "import { a } from '../../../y.ts'", /write #services\/dashboard\/y\.ts/],
  ['services/gateway/a/b/x.ts', "import { a } from '#services/gateway/y.ts'", /write it relative/],
  ['test/unit/a/b/x.test.ts', "import { a } from '../../../../client/src/y.ts'", /write #client\/src\/y\.ts/],
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
  ['services/dashboard/x.tsx', "import { a } from 'node:fs'", /a browser has no Node\.js/],
  ['services/dashboard/x.tsx', "import { a } from '#shared/data/y.ts'", /knows only itself, the pure rooms/],
  ['services/dashboard/x.tsx', "import { a } from '../../shared/json/y.ts'", /write #shared\/json\/y\.ts/],
  ['services/dashboard/parts/x.tsx', "import { a } from '../pages/y.tsx'", /the order is/],
  ['services/dashboard/parts/x.tsx', "import { a } from '../forms/y.tsx'", /the order is/],
  ['services/dashboard/x.tsx', "import { a } from 'lit'", /package\.json of the dashboard/],
  ['services/gateway/x.ts', "import { a } from '../../test/support/until.ts'", /no part of the product/],
  ['services/gateway/x.ts', "import { a } from '@testcontainers/nats'", /add it to the dependencies/],
  ['services/gateway/x.ts', "import { isIP } from 'node:net'", /shared\/net/],
  ['services/gateway/x.ts', 'const port = process.env.PORT', /a setting in shared\/config/],
  ['services/gateway/x.ts', "await fetch('https://example.com')", /HTTP client/],
  ['services/gateway/x.ts', "db.get('select id from items where id = ?')", /SQL belongs into shared\/data/],
  ['shared/data/x.ts', "db.get('pragma user_version')", /^shared\/data\/x\.ts:1: write it with sql/],
  ['shared/data/x.ts', 'db.long.all<{ id: string }>(\n  `pragma table_list`,\n)', /^shared\/data\/x\.ts:1: write it/],
  ['shared/data/x.ts', '\ntx.run(query, [id])', /^shared\/data\/x\.ts:2: write it with sql/],
  ['shared/data/x.ts', "const query = 'select id from items'", /write it with sql/],
  ['shared/data/x.ts', 'raw(`\n  update items set size = 0`)', /write it with sql/],
  ['services/gateway/x.ts', "import { a } from '#client/src/main.ts'", /services use no client/],
  ['services/supervisor/remote/x.ts', "import { a } from '#shared/data/items.ts'", /through the client/],
  ['services/supervisor/remote/x.ts', "import { a } from '../commands/database.ts'", /through the client/],
  ['services/gateway/x.ts', 'export default {}', /by name/],
  ['client/src/x.ts', "import { a } from '#shared/errors.ts'", /client\/src knows only itself/],
  ['client/src/x.ts', "import { createHmac } from 'node:crypto'", /client\/src knows only itself/],
  ['test/integration/gateway/x.test.ts', 'const askedAt = performance.now()', /no time that passed/],
  ['test/support/access/x.ts', "import { decide } from '#shared/domain/access/permissions.ts'", /shares no code/],
  ['services/gateway/x.ts', "export * from './y.ts'", /from where it is defined/],
  [
    'services/gateway/x.ts',
    'const a = {\n  ..'.concat('.{ b, c },\n}'),
    /^services\/gateway\/x\.ts:2: write what it spreads/,
  ],
  ['services/gateway/x.ts', '// It is made of text.', /use the term of the field: created/],
  ['docs/x.md', 'The author is told, and the name is refused.', /use the term of the field: reported/],
  ['test/unit/x.ts', 'const besideItems = 1', /use the term of the field: next to/],
  ['services/gateway/helpers.ts', '', /name the file after what it holds/],
  ['services/gateway/index.ts', '', /no barrels/],
  ['services/gateway/someThing.ts', '', /lower-case words/],
  ['services/gateway/x.ts', '\n'.repeat(400), /has 401 lines/],
  ['shared/bus/x.ts', `export async function long({\n${'\n'.repeat(60)}}`, /^shared\/bus\/x\.ts:1: long has 62 lines/],
  ['shared/bus/x.ts', `  async #long(): Promise<void> {\n${'\n'.repeat(60)}  }`, /#long has 62 lines/],
  ['shared/bus/x.ts', `export const long = () => {\n${'\n'.repeat(60)}}`, /long has 62 lines/],
  ['docs/x.md', 'The rule is in `../shared/domain/nothing.ts`.', /shared\/domain\/nothing\.ts is not there/],
  ['test/unit/domain/nothing.test.ts', '', /name it after a file/],
  ['test/integration/gateway/nothing/x.test.ts', '', /no source has the folder nothing/],
]

test('the rules find what they forbid, and name file, line and remedy', (t) => {
  for (const [path, text, expected] of untidy) {
    t.regex(
      all([toSourceFile(path, text)])
        .map(lineOf)
        .join('\n'),
      expected,
      `${path}: ${text}`,
    )
  }
})

test('a file of a reading list that no file before it imports is found', (t) => {
  const list =
    '## Where to start reading\n\n- **A**, in `shared/bus`: `a.ts`,\n  `b.ts`, `c.ts`; then `d.ts`.\n\n## Design'
  const others = [
    file('shared/bus/a.ts', './b.ts'),
    ...['b', 'c', 'd'].map((name) => file(`shared/bus/${name}.ts`, './e.ts')),
  ]
  t.deepEqual(readingListFindings([toSourceFile('ARCHITECTURE.md', list), ...others]).map(lineOf), [
    'ARCHITECTURE.md:3: no file before shared/bus/c.ts imports it: mend the list',
  ])
})

const file = (path: string, target: string) => toSourceFile(path, `import type { x } from '${target}'`)

const rings: [files: SourceFile[], expected: RegExp][] = [
  [
    [file('shared/bus/a.ts', './b.ts'), file('shared/bus/b.ts', './a.ts')],
    /closes a ring: shared\/bus\/a\.ts -> shared\/bus\/b\.ts -> shared\/bus\/a\.ts/,
  ],
  [
    [file('shared/bus/a/b.ts', '../c/d.ts'), file('shared/bus/c/e.ts', '../a/f.ts')],
    /closes a ring: shared\/bus\/a -> shared\/bus\/c -> shared\/bus\/a/,
  ],
  [
    [file('shared/bus/a.ts', './c/d.ts'), file('shared/bus/c/e.ts', '../a.ts')],
    /closes a ring: shared\/bus\/a\.ts -> shared\/bus\/c -> shared\/bus\/a\.ts/,
  ],
  [
    [file('shared/bus/a.ts', '#shared/log/b.ts'), file('shared/log/c.ts', '#shared/bus/d.ts')],
    /closes a ring: shared\/bus -> shared\/log -> shared\/bus/,
  ],
  [
    [file('services/dashboard/pages/x/a.tsx', './b.tsx'), file('services/dashboard/pages/x/b.tsx', './a.tsx')],
    /closes a ring: services\/dashboard\/pages\/x\/a\.tsx -> services\/dashboard\/pages\/x\/b\.tsx -> /,
  ],
  [
    [
      file('services/dashboard/pages/a/a.tsx', '../b/b.ts'),
      file('services/dashboard/pages/b/c.tsx', '../c/c.tsx'),
      file('services/dashboard/pages/c/d.ts', '../a/e.tsx'),
    ],
    /closes a ring: services\/dashboard\/pages\/a -> services\/dashboard\/pages\/b -> services\/dashboard\/pages\/c -> /,
  ],
  [
    [file('test/support/a/b.ts', '../c/d.ts'), file('test/support/c/d.ts', '../a/b.ts')],
    /closes a ring: test\/support\/a\/b\.ts -> test\/support\/c\/d\.ts -> test\/support\/a\/b\.ts/,
  ],
]

test('a cycle is found between files, folders and rooms, even one of types', (t) => {
  for (const [ring, expected] of rings) t.regex(all(ring).map(lineOf).join(), expected)
  t.deepEqual(cycleFindings([file('test/support/a/b.ts', '../c/d.ts'), file('test/support/c/e.ts', '../a/f.ts')]), [])
})

test('a folder of sixteen files is found, but not one of fifteen with folders in it', (t) => {
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => toSourceFile(`shared/bus/a${n}.ts`, ''))
  t.deepEqual(all(numbered(16)).map(lineOf), [
    'shared/bus:1: has 16 files; sort them into folders by subject, at most 15 in each',
  ])
  t.deepEqual(all([...numbered(15), toSourceFile('shared/bus/messages/a.ts', '')]), [])
})

test('a missing arrow, or one without an import, is found', (t) => {
  const picture = toSourceFile('ARCHITECTURE.md', 'Which room imports which:\n\n```\nbus  ─▶ domain log\n```\n')
  const bus = toSourceFile(
    'shared/bus/bus.ts',
    "import { a } from '../domain/a.ts'\nimport { b } from '../time/b.ts'\n",
  )
  t.deepEqual(
    pictureFindings([picture, bus]).map(({ remedy }) => remedy),
    ['draw the arrow from bus to time, which an import takes', 'no import goes from bus to log: take its arrow away'],
  )
})

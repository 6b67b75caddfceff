import { readdirSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { scriptOf, stepsOf } from '../support/guides/guide.ts'
import { tourAnswers } from '../support/guides/readme-tour.ts'
import { takeTour } from '../support/guides/toured.ts'
import { shared } from '../support/test-context/shared.ts'

const root = join(import.meta.dirname, '../..')
const guides = readdirSync(join(root, 'docs/guides'))
const toured = shared(takeTour)

test('README links to every guide, and to no missing one', async (t) => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const linked = [...readme.matchAll(/\(docs\/guides\/([^)]+)\)/g)].map(([, name]) => name)
  t.deepEqual(linked.toSorted(), guides.toSorted())
})

test("README's tour runs in an empty folder as written, and leaves no file that git sees", (t) => {
  for (const answer of tourAnswers) t.regex(toured().output, answer)
  t.deepEqual(toured().newFiles, [])
})

for (const page of ['cookbook.md', ...guides.map((guide) => `guides/${guide}`)]) {
  // Serial: a page would see what another one has temporarily created as a difference.
  test.serial(`docs/${page} prints what it shows after the tour, and leaves everything unchanged`, async (t) => {
    const steps = stepsOf(await readFile(join(root, 'docs', page), 'utf8'))
    t.true(steps.some(({ expected }) => expected !== null))
    const { folder, address, runScript, state } = toured()
    const before = await state()
    const outputs = await mkdtemp(join(folder, 'tour/outputs-'))
    const { code, output } = await runScript(scriptOf(steps, outputs).replaceAll('http://127.0.0.1:3000', address))
    t.is(code, 0, output)
    for (const [n, { expected }] of steps.entries()) {
      if (expected !== null) t.is((await readFile(join(outputs, `${n}`), 'utf8')).trimEnd(), expected.trimEnd())
    }
    t.deepEqual(await state(), before)
  })
}

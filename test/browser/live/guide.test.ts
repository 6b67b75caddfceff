import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { until } from '../../support/assertions/until.ts'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { scriptOf, stepsOf } from '../../support/guides/guide.ts'
import { takeTour } from '../../support/guides/toured.ts'
import { readOrEmpty } from '../../support/processes/processes.ts'
import { shared } from '../../support/test-context/shared.ts'

const guide = join(import.meta.dirname, '../../../docs/guides/live.md')
const toured = shared(takeTour)
const browser = sharedBrowser()

test('the page of docs/guides/live.md shows each change as the commands make it', async (t) => {
  const steps = stepsOf(await readFile(guide, 'utf8'))
  const { folder, address, runScript } = toured()
  const outputs = await mkdtemp(join(folder, 'tour/outputs-'))
  // After each step the script waits until the test has checked the page.
  const wait = (n: number) => `echo ${n} > ${outputs}/at\nuntil [ -e ${outputs}/seen-${n} ]; do sleep 0.1; done\n`
  const waiting = steps.map((step, n) => ({ ...step, commands: `${step.commands}${wait(n)}` }))
  const ended = runScript(scriptOf(waiting, outputs).replaceAll('http://127.0.0.1:3000', address))
  const early = async () => {
    throw new Error((await ended).output)
  }
  const page = await (await browser().newContext()).newPage()
  t.teardown(() => page.context().close())
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  const expected = [
    null,
    'Pancakes 2 | connected',
    'Tomato soup 5\nPancakes 3\nPorridge 1 | connected',
    `${steps[3]?.expected?.trimEnd()} | connected`,
    'Pancakes 3\nPorridge 1\nSoup 1 | connected',
    'Pancakes 3\nPorridge 1\nSoup 1 | ended',
  ]
  t.is(expected.length, steps.length)
  for (const [n, text] of expected.entries()) {
    const isThere = () => readOrEmpty(join(outputs, 'at')).trim() === String(n)
    await Promise.race([until(isThere, { withinMs: 60_000 }), early()])
    if (n === 1) await page.goto(`file://${join(folder, 'tour/live/index.html')}`)
    if (text) {
      const shown = () =>
        page.evaluate(() => ['pre', 'p'].map((one) => document.querySelector(one)?.textContent).join(' | '))
      await until(async () => (await shown()) === text || (await shown()))
    }
    await writeFile(join(outputs, `seen-${n}`), '')
  }
  const { code, output } = await ended
  t.is(code, 0, output)
  t.deepEqual(faults, [])
})

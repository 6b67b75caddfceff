import test from 'ava'
import { type FullAccount, fullAccount } from '../../support/browser/account/full-account.ts'
import { fits, violations } from '../../support/browser/check-page.ts'
import { sharedBrowser } from '../../support/browser/chromium.ts'
import { inPage } from '../../support/browser/in-page.ts'
import { openEach } from '../../support/browser/overlays.ts'
import { testVisitor } from '../../support/browser/visitor.ts'
import { noteListeners, tabThrough, unreachable } from '../../support/browser/walk.ts'
import { shared } from '../../support/test-context/shared.ts'

const browser = sharedBrowser()
const account = shared(fullAccount)

/** The problems that `look` finds, by page. */
async function onEachPage(look: (page: FullAccount['pages'][number]) => Promise<string[]>) {
  const wrong: Record<string, string[]> = {}
  for (const page of account().pages) {
    const found = await look(page)
    if (found.length > 0) wrong[page.name] = found
  }
  return wrong
}

/** Elements without a tab stop: Shift and an arrow key in a cell also move the edge of its column (see `items-cells.test.ts`). */
const otherWays = '.edge'

test.serial('Tab reaches everything that reacts to a click: visible, with a visible focus, once', async (t) => {
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...account() })
  await noteListeners(page)
  const wrong = await onEachPage(async ({ path }) => {
    await visit(path)
    const walk = await tabThrough(page)
    return [
      ...(await unreachable(page, otherWays)).map((one) => `not for keys: ${one}`),
      ...walk.missed.map((one) => `Tab does not come to ${one}`),
      ...walk.wrong,
      // Every page has the navigation, the palette and the account.
      ...(walk.stops < 12 ? [`only ${walk.stops} stops`] : []),
    ]
  })
  t.deepEqual(wrong, {})
  t.deepEqual(faults, [])
})

test.serial('nothing is cut off in a window of 1280 px, and no table scrolls sideways there', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...account() })
  const wrong = await onEachPage(async ({ path }) => {
    await visit(path)
    const wide = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => 'a table is ' + (one.scrollWidth - one.clientWidth) + ' px too wide')`
    return [...(await inPage<string[]>(page, wide)), ...((await fits(page)) ? [] : ['it scrolls sideways'])]
  })
  t.deepEqual(wrong, {})
})

test.serial('on a phone in dark mode each page is accessible, and its controls can be pressed', async (t) => {
  const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...account(), phone: true })
  await page.emulateMedia({ colorScheme: 'dark' })
  const wrong = await onEachPage(async ({ path }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(path)
    const found = await violations(page, { isTouched: true })
    // 320 px is a window of 1280 px at a zoom of 400 %.
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      if (!(await fits(page))) found.push(`it scrolls sideways at ${width} px`)
    }
    return found
  })
  t.deepEqual(wrong, {})
  t.deepEqual(faults, [])
})

test.serial('the save button of a page is above the keyboard of a phone', async (t) => {
  const { page, visit } = await testVisitor(t, { browser: browser(), ...account(), phone: true })
  const savers = account().pages.filter(({ name }) =>
    /^(item|item-text|new-item|list-schema|identity|token|flow)$/.test(name),
  )
  t.is(savers.length, 7)
  for (const { name, path } of savers) {
    await page.setViewportSize({ width: 390, height: 844 })
    await visit(path)
    // The part of the window that the keyboard leaves visible.
    await page.setViewportSize({ width: 390, height: 420 })
    const seen = `(({ top, bottom, height }) => ({ isIn: top >= 0 && bottom <= innerHeight, height,
      isOver: foot.contains(document.elementFromPoint(innerWidth / 2, (top + bottom) / 2)) }))
      ((window.foot = document.querySelector('.foot')).getBoundingClientRect())`
    const { isIn, isOver, height } = await inPage<{ isIn: boolean; isOver: boolean; height: number }>(page, seen)
    t.true(isIn && isOver && height < 100, name)
    t.true(
      await page
        .locator('.foot')
        .getByRole('button', { name: /^(Save|Create)/ })
        .isVisible(),
      name,
    )
  }
})

for (const phone of [false, true]) {
  const where = phone ? 'on a phone in the dark' : 'in a window'
  test.serial(
    `what a button opens has room ${where}, gets the focus, closes with Escape and returns the focus`,
    async (t) => {
      const { page, visit, faults } = await testVisitor(t, { browser: browser(), ...account(), phone })
      if (phone) await page.emulateMedia({ colorScheme: 'dark' })
      let opened = 0
      const wrong = await onEachPage(async ({ path }) => {
        await visit(path)
        return openEach(page, async () => {
          opened += 1
          return violations(page, { within: 'dialog:modal, [popover]:popover-open', isTouched: phone })
        })
      })
      t.deepEqual(wrong, {})
      t.true(opened > 2 * account().pages.length)
      t.deepEqual(faults, [])
    },
  )
}

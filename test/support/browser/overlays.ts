import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

/** The problems of an overlay that a button opened, one per line. `look` finds more while it is open. */
type LookAt = (opener: string) => Promise<string[]>

/** Buttons that open something over the page: menus, the palette, and labels that end with an ellipsis; not the browser's own file chooser. */
const openers = `[...document.querySelectorAll('main button, .side button')].filter((e) =>
  (e.popoverTargetElement || e.matches('.find') || /^.{1,40}…$/.test(e.textContent.trim())) && !/ file…$/.test(e.textContent.trim()) && e.checkVisibility() && !e.disabled && !e.closest('[popover]'))`

/** In the page: the element that is over it. */
const open = `[...document.querySelectorAll('dialog:modal, [popover]:popover-open')].at(-1)`

/**
 * Opens by keyboard every overlay of the page's buttons, checks it, closes it with Escape, and reports where the focus was lost.
 * @param look called while the overlay is open
 */
export async function openEach(page: Page, look: LookAt): Promise<string[]> {
  const wrong: string[] = []
  const count = await inPage<number>(page, `(window.openers = ${openers}).length`)
  for (let n = 0; n < count; n++) {
    const name = await inPage<string>(
      page,
      `(window.opener = openers[${n}], opener.focus(), (opener.ariaLabel || opener.textContent).trim())`,
    )
    await page.keyboard.press('Enter')
    const isOpen = await inPage<boolean>(page, untilOpen)
    if (!isOpen) {
      wrong.push(`${name}: opens nothing`)
      continue
    }
    await inPage(page, frames)
    for (const fault of [...(await inPage<string[]>(page, lookInside)), ...(await look(name))])
      wrong.push(`${name}: ${fault}`)
    await page.keyboard.press('Escape')
    await inPage(page, frames)
    for (const fault of await inPage<string[]>(page, lookAfter)) wrong.push(`${name}: ${fault}`)
  }
  return wrong
}

/** In the page: whether an overlay is open within 300 frames. */
const untilOpen = `new Promise((done) => {
  const look = (left) => (${open} ? done(true) : left === 0 ? done(false) : requestAnimationFrame(() => look(left - 1)))
  look(300)
})`

/** Two frames: effects have run, and their changes are drawn. */
const frames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))'

const lookInside = `(() => {
  const box = ${open}
  const wrong = []
  if (!box.contains(document.activeElement) && box.querySelector('a, button, input, select, textarea')) wrong.push('the focus is not in it')
  const { left, top, right, bottom } = box.getBoundingClientRect()
  if (left < 0 || top < 0 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) wrong.push('it has no room in the window')
  if (box.scrollWidth > box.clientWidth + 1) wrong.push('it scrolls sideways')
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wrong.push('the page scrolls sideways')
  return wrong
})()`

const lookAfter = `(() => {
  if (${open}) return ['Escape does not close it']
  return document.activeElement === opener ? [] : ['the focus went to ' + (document.activeElement?.outerHTML ?? 'nothing').slice(0, 100)]
})()`

import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'

/** Records which elements listen for clicks. Call it before a page is opened. */
export async function noteListeners(page: Page): Promise<void> {
  await page.addInitScript(`{
    const add = EventTarget.prototype.addEventListener
    EventTarget.prototype.addEventListener = function (type, ...more) {
      if (this instanceof Element && ['click', 'dblclick', 'pointerdown', 'mousedown'].includes(type)) this.hearsClicks = true
      return add.call(this, type, ...more)
    }
  }`)
}

/** In the page: what a user without a pointer can reach, and the text for an element. */
const tools = `
  const usable = 'a[href], button, input, select, textarea, summary, [tabindex="0"], [contenteditable="true"]'
  const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert]')
  const textOf = (e) => {
    const name = e.getAttribute('aria-label') || e.textContent.trim() || e.placeholder || e.id || ''
    return (e.localName + '.' + (e.getAttribute('class') || '') + ' ' + name).replace(/\\s+/g, ' ').slice(0, 100)
  }`

/**
 * Elements that react to a click, but cannot have the focus and are not part of an element that can, or of a label. An element that
 * listens for the clicks on its parts, such as a table, is found by these parts.
 * @param known a selector of elements with another way for the keyboard
 */
export function unreachable(page: Page, known: string): Promise<string[]> {
  return inPage(
    page,
    `(() => { ${tools}
      return [...document.querySelectorAll('body *')].filter((e) => e.hearsClicks && isShown(e) && !e.matches(${JSON.stringify(known)}) &&
        !e.closest(usable + ', label') && !e.querySelector(usable)).map(textOf)
    })()`,
  )
}

/** The result of tabbing: the number of stops, the elements that were not reached, and the problems at stops. */
export type TabWalk = { stops: number; missed: string[]; wrong: string[] }

/** More than any page has. */
const mostStops = 600

/** Presses Tab from the beginning of the page to its end. */
export async function tabThrough(page: Page): Promise<TabWalk> {
  await inPage(page, beginWalk)
  let isInEditor = false
  for (let stops = 0; stops < mostStops; stops++) {
    // An editor keeps Tab until Escape is pressed.
    if (isInEditor) await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    const stop = await inPage<'end' | 'editor' | 'element'>(page, lookAtStop)
    if (stop === 'end') break
    isInEditor = stop === 'editor'
  }
  return inPage(
    page,
    '({ stops: walk.seen.size, wrong: walk.wrong, missed: walk.needed.filter(walk.isMissed).map(walk.textOf) })',
  )
}

/** In the page: records the elements that Tab must reach. One of several radio buttons with the same name is enough. */
const beginWalk = `{ ${tools}
  const seen = new Set()
  const isOfGroup = (e) => e.type === 'radio' && [...seen].some((one) => one.name === e.name)
  const needed = [...document.querySelectorAll(usable)].filter((e) => isShown(e) && !e.disabled && e.tabIndex >= 0 && !e.closest('.editor'))
  window.walk = { seen, needed, textOf, wrong: [], isMissed: (e) => isShown(e) && !seen.has(e) && !isOfGroup(e) }
  // A field that has the focus from the beginning is not where the page begins.
  const start = document.createElement('span')
  start.tabIndex = -1
  document.body.prepend(start)
  start.focus()
  scrollTo(0, 0)
}`

/** In the page: checks the element with the focus: whether it is in view, above all others, and visibly focused. */
const lookAtStop = `(() => {
  const { seen, wrong, textOf } = walk
  const e = document.activeElement
  if (!e || e === document.body || e === document.documentElement) return 'end'
  const stop = e.closest('.editor') ? 'editor' : 'element'
  // The parts of a date are stops of one field.
  if (seen.has(e)) return e === walk.last || stop === 'editor' ? stop : 'end'
  seen.add(e)
  walk.last = e
  const fault = (what) => wrong.push(what + ': ' + textOf(e))
  let { left, top, right, bottom } = e.getBoundingClientRect()
  const cut = (box) => {
    left = Math.max(left, box.left); top = Math.max(top, box.top)
    right = Math.min(right, box.right); bottom = Math.min(bottom, box.bottom)
  }
  cut({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })
  for (let outer = e.parentElement; outer && outer !== document.body; outer = outer.parentElement)
    if (getComputedStyle(outer).overflowX !== 'visible') cut(outer.getBoundingClientRect())
  const over = right - left >= 1 && bottom - top >= 1 && document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  if (!over) fault('out of sight')
  else if (!e.contains(over) && !over.contains(e) && ![...e.labels ?? []].some((label) => label.contains(over))) fault('behind ' + textOf(over))
  const { outlineStyle, outlineWidth } = getComputedStyle(e)
  const drawn = e instanceof SVGElement && e.querySelector('rect')
  const isMarked = (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || (drawn && parseFloat(getComputedStyle(drawn).strokeWidth) >= 3)
  if (!isMarked && stop === 'element') fault('not seen to have the focus')
  return stop
})()`

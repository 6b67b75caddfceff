import type { Locator, Page } from 'playwright-core'
import { inPage } from './in-page.ts'

/** A user without a pointer. */
export type Keyboard = {
  /**
   * Presses Tab until an element has the focus, from the current one; `back`: Shift and Tab.
   * @throws Error when the element is not reached, or when nothing had the focus, because the page has lost it
   */
  tabTo(wanted: Locator, way?: { back?: boolean }): Promise<void>
  /** The same, followed by Enter. */
  enter(wanted: Locator, way?: { back?: boolean }): Promise<void>
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
}

/** More than the tab stops of any page. */
const mostTabs = 200

/** The keyboard of a page that has just been opened, where nothing has the focus yet. */
export function keyboardOf(page: Page): Keyboard {
  let hasBegun = false
  // Another document starts over.
  page.on('load', () => {
    hasBegun = false
  })
  const tabTo: Keyboard['tabTo'] = async (wanted, { back = false } = {}) => {
    await wanted.first().waitFor()
    const focused = wanted.and(page.locator(':focus'))
    if (hasBegun && !(await inPage<boolean>(page, untilFocused))) throw new Error('nothing has the focus: it was lost')
    hasBegun = true
    for (let tabs = 0; (await focused.count()) === 0; tabs++) {
      if (tabs === mostTabs) throw new Error(`the keyboard does not come to ${wanted}`)
      // An editor keeps Tab until Escape is pressed.
      if (await inPage<boolean>(page, `document.activeElement?.closest('.editor') != null`))
        await page.keyboard.press('Escape')
      await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    }
  }
  return {
    tabTo,
    async enter(wanted, way) {
      await tabTo(wanted, way)
      await page.keyboard.press('Enter')
    },
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key)
    },
    type: (text) => page.keyboard.insertText(text),
  }
}

/** In the page: whether an element has the focus within 60 frames. A page moves it once it is drawn. */
const untilFocused = `new Promise((done) => {
  const look = (left) => {
    const { activeElement } = document
    if (activeElement && activeElement !== document.body) done(true)
    else if (left === 0) done(false)
    else requestAnimationFrame(() => look(left - 1))
  }
  look(60)
})`

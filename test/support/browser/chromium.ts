import type { Browser } from 'playwright-core'
import { shared } from '../test-context/shared.ts'
import { launchChromium } from './launch-chromium.ts'

/** One browser for all tests of a file. @returns a function that returns it */
export function sharedBrowser(): () => Browser {
  return shared(async (t) => {
    const browser = await launchChromium()
    t.teardown(() => browser.close())
    return browser
  })
}

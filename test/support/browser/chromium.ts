import { access, constants } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright-core'
import { shared } from '../test-context/shared.ts'

/** Where Debian, and other systems, have the browser. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Traffic goes to the listd of the test and nowhere else. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** One browser for all tests of a file. @returns how a test gets it */
export function sharedBrowser(): () => Browser {
  return shared(async (t) => {
    const browser = await chromium.launch({ executablePath: await findChromium(), args })
    t.teardown(() => browser.close())
    return browser
  })
}

/** @throws Error with a sentence that says how to install it */
async function findChromium(): Promise<string> {
  const asked = process.env.TEST_CHROMIUM
  for (const path of asked ? [asked] : places) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  throw new Error(
    'chromium was not found: "scripts/setup browser" installs it on Debian, or set TEST_CHROMIUM to a program',
  )
}

import { access, constants } from 'node:fs/promises'
import { type Browser, chromium } from 'playwright-core'

/** Where Debian, and other systems, install the browser. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Traffic goes only to the listd of the test. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the system's browser without a window. @throws Error with a sentence that says how to install it */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args })
}

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

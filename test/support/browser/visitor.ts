import type { ExecutionContext } from 'ava'
import type { Browser, Page } from 'playwright-core'
import { sessionCookie } from '#services/gateway/auth/credential.ts'
import type { Listd } from '../processes/listd.ts'
import { showOnFailure } from '../test-context/failure-log.ts'

/** A page of the dashboard in a separate browser context, and its errors. */
export type Visitor = {
  page: Page
  /** Opens an address below /dashboard. */
  visit(path: string): Promise<void>
  /**
   * Events that no page may cause: errors on the console, including reports of the content security policy and of Trusted Types,
   * uncaught errors, and requests to other origins.
   */
  faults: string[]
  /** The addresses of all requests so far. */
  requested: string[]
}

/** A listd, and the user of its account if there is one yet. */
type Visited = Pick<Listd, 'address'> & Partial<Pick<Listd, 'credentials'>>

type VisitorOptions = {
  browser: Browser
  listd: Visited
  /** Whether the browser has the session of the user. */
  signedIn?: boolean
  /** Whether it has a touch screen of the size of a phone. */
  phone?: boolean
}

/** Opens the dashboard of a listd. */
export async function testVisitor(
  t: ExecutionContext,
  { browser, listd, signedIn = true, phone = false }: VisitorOptions,
): Promise<Visitor> {
  const { origin } = new URL(listd.address)
  const device = phone ? { isMobile: true, hasTouch: true, viewport: { width: 390, height: 844 } } : { viewport: wide }
  const context = await browser.newContext({ reducedMotion: 'reduce', ...device })
  t.teardown(() => context.close())
  const session = signedIn ? listd.credentials?.session : undefined
  if (session)
    await context.addCookies([{ name: sessionCookie, value: session, url: origin, httpOnly: true, sameSite: 'Lax' }])
  context.setDefaultTimeout(patienceMs)
  const page = await context.newPage()
  const faults: string[] = []
  const requested: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`not caught: ${error.message}`))
  context.on('request', (request) => {
    requested.push(request.url())
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== origin) {
      faults.push(`another origin: ${request.url()}`)
    }
  })
  showOnFailure(t, 'the browser', () => [...faults, ...requested.slice(-10)])
  return {
    page,
    faults,
    requested,
    async visit(path) {
      await page.goto(`${origin}/dashboard${path}`)
      await untilLoaded(page)
    },
  }
}

/** How long a busy machine may take. */
const patienceMs = 120_000

export const wide = { width: 1280, height: 800 }

/** Resolves when the page has its heading, and no part of it is still loading. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  for (const sign of ['[role=status][aria-label=Loading]', '[aria-busy=true]']) {
    await page.locator(sign).first().waitFor({ state: 'detached' })
  }
}

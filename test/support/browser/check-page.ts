import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { inPage } from './in-page.ts'
import { type Visitor, wide } from './visitor.ts'

const screenshots = join(import.meta.dirname, '../../../dist/screenshots')

const looks = [
  { look: 'light', colorScheme: 'light', viewport: wide },
  { look: 'dark', colorScheme: 'dark', viewport: wide },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

/**
 * Asserts the rules for every page on the open one: there are no faults, it is accessible with a screen reader in light, in dark and
 * on a phone, and only code scrolls sideways there. A picture of each look is saved in dist/screenshots.
 * @param name of the pictures
 */
export async function checkPage(t: ExecutionContext, { page, faults }: Visitor, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  for (const { look, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: join(screenshots, `${name}-${look}.png`) })
    t.deepEqual(await violations(page), [], `${name}, ${look}`)
    t.true(await fits(page), `${name} scrolls sideways, ${look}`)
  }
  await page.setViewportSize(wide)
  t.deepEqual(faults, [], name)
}

/**
 * The findings of axe-core, one per line.
 * @param options.within a selector of the part to check; without it the whole page
 * @param options.isTouched whether controls must be large enough for a finger
 */
export async function violations(page: Page, { within = ':root', isTouched = false } = {}): Promise<string[]> {
  if (!(await inPage<boolean>(page, "'axe' in window"))) await inPage(page, `${axe.source}; undefined`)
  const options = JSON.stringify({ resultTypes: ['violations'], rules: { 'target-size': { enabled: isTouched } } })
  const asked = `axe.run(document.querySelector(${JSON.stringify(within)}), ${options}).then(${toViolations})`
  const found = await inPage<Violation[]>(page, asked)
  return found.map(({ id, html, summary }) => `${id}: ${html} ${summary}`)
}

type Violation = { id: string; html: string; summary: string }

/** In the page: the part of axe's findings that JSON can represent. */
const toViolations = `({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => ({ id, html, summary: failureSummary })))`

/** Whether only code scrolls sideways. */
export function fits(page: Page): Promise<boolean> {
  return inPage(page, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth')
}

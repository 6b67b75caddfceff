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
 * Asserts what must hold for every page about the open one: nothing went wrong on it, people with a screen reader can follow it in
 * light, dark and on a phone, and nothing but code scrolls sideways there. A picture of each look is kept in dist/screenshots.
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
 * @param options.within a selector of what is looked at; the whole page without it
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

/** In the page: what JSON can hold of what axe found. */
const toViolations = `({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => ({ id, html, summary: failureSummary })))`

/** Whether nothing but code scrolls sideways. */
export function fits(page: Page): Promise<boolean> {
  return inPage(page, 'document.documentElement.scrollWidth <= document.documentElement.clientWidth')
}

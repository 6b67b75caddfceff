import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HtmlPage, htmlPage } from '#services/gateway/http/responses/html-page.ts'

/** The set-up page. */
export function setupPage(): HtmlPage {
  // In a function, so that its names are not global in the browser tab.
  const script = `(() => {\n'use strict'\n${read('page.js')}})()`
  return htmlPage({ html: read('page.html'), style: read('page.css'), script })
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

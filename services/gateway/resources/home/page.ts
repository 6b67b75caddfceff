import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HtmlPage, htmlPage } from '../../http/responses/html-page.ts'

const setUp =
  '<li><a href="/setup">/setup</a> creates the first user. It needs the link that listd printed when it started.</li>'

/** The page at the root of the address. @param options.isSetUp whether there is a user */
export function homePage({ isSetUp }: { isSetUp: boolean }): HtmlPage {
  const html = read('page.html').replace('    <!-- set-up -->\n', isSetUp ? '' : `    ${setUp}\n`)
  return htmlPage({ html, style: read('page.css') })
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

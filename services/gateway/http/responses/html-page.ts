import { hash } from 'node:crypto'
import type { ResponseHeader } from '../../request/route.ts'

/** A complete page, its etag, and headers that allow only what the page needs. */
export type HtmlPage = { html: string; etag: string; headers: Record<string, string> }

/**
 * A page that loads nothing: its style and script are inline.
 * @param source.html has an empty `style` element, and an empty `script` element if there is a script
 */
export function htmlPage({ html, style, script }: { html: string; style: string; script?: string }): HtmlPage {
  const page = html
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script ?? ''}</script>`)
  const headers = { 'content-security-policy': policy(style, script), ...isolation }
  return { html: page, etag: `"${hash('sha256', page, 'base64url')}"`, headers }
}

export const htmlType = 'text/html; charset=utf-8'

/** The headers of a page for the API's description. @param rest `optional`: some answers are not a page */
export function pageHeaders({ headers }: HtmlPage, rest: { optional?: true } = {}): Record<string, ResponseHeader> {
  const header = { about: 'What browsers allow the page to do.', ...rest }
  return Object.fromEntries(Object.keys(headers).map((name) => [name, header]))
}

/** Allows style and script by their hashes; the script may call only this origin, and the page may not be framed. */
function policy(style: string, script: string | undefined): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** Headers that isolate the page from other origins. */
export const isolation = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

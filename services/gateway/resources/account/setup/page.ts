import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A complete page, and headers that allow it what it needs and nothing else. */
export type Page = { html: string; headers: Record<string, string> }

/** The set-up page; its style and script are inline, so it loads nothing else. */
export function setupPage(): Page {
  const style = read('page.css')
  // In a function, so that its names are not global in the browser tab.
  const script = `(() => {\n'use strict'\n${read('page.js')}})()`
  const html = read('page.html')
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => `<script>${script}</script>`)
  return { html, headers: { 'content-security-policy': policy({ style, script }), ...others } }
}

/** Style and script are allowed by their hashes; the page may call only this origin, and be in no frame. */
function policy({ style, script }: { style: string; script: string }): string {
  return [
    "default-src 'none'",
    `style-src ${source(style)}`,
    `script-src ${source(script)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

const others = {
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

function source(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

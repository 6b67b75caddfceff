import { hash } from 'node:crypto'
import test from 'ava'
import { setupPage } from '#services/gateway/resources/users/setup/page.ts'
import { atLeast } from '../../../../support/assertions/bounds.ts'

const { html, headers } = setupPage()
const policy = headers['content-security-policy'] ?? ''

function blockOf(tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*)</${tag}>`).exec(html)?.[1] ?? ''
}

test('style and script are in the page and allowed by their hashes, and no others are', (t) => {
  for (const tag of ['style', 'script']) {
    atLeast(t, blockOf(tag).length, 101, tag)
    t.true(policy.includes(`${tag}-src 'sha256-${hash('sha256', blockOf(tag), 'base64')}'`), tag)
  }
  t.true(policy.startsWith("default-src 'none';"))
  t.notRegex(policy, /unsafe|\*|https?:/)
  const link = '<a href="/dashboard/">'
  t.true(html.includes(link))
  t.notRegex(html.replace(link, ''), /\b(src|href|srcset|action|on\w+)=|https?:\/\/|@import|url\(/)
})

test('the page is never shown in a frame, and sends no referrer', (t) => {
  t.true(policy.includes("frame-ancestors 'none'"))
  t.like(headers, { 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' })
})

test('every field has a label, and its description is read out with it', (t) => {
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const inputs = [...html.matchAll(/<input id="([^"]+)" ?(type="checkbox")?/g)]
  t.is(inputs.length, 4)
  for (const [, id, isCheck] of inputs) t.true(Boolean(isCheck) || html.includes(`<label for="${id}">`), id)
  const references = [...html.matchAll(/(?:aria-describedby|for|data-copies)="([^"]+)"/g)].flatMap(([, list = '']) =>
    list.split(' '),
  )
  t.deepEqual(
    references.filter((id) => !ids.has(id)),
    [],
  )
  t.regex(html, /<html lang="en">/)
})

test('the script reads no cookie and stores nothing', (t) => {
  t.notRegex(blockOf('script'), /document\.cookie|localStorage|sessionStorage|innerHTML/)
})

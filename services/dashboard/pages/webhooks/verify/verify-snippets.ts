/** A function that verifies a delivery, in one programming language. */
export type Snippet = { language: string; code: string }

/**
 * The first function of each language in docs/webhooks/verify.md, which verifies `webhook-signature`.
 * @param page its Markdown
 */
export function snippetsOf(page: string): Snippet[] {
  const sections = page.split(/^## /m).slice(1)
  return sections.flatMap((section) => {
    const [language = ''] = section.split('\n', 1)
    const code = /^```\w+\n(.*?)^```$/ms.exec(section)?.[1]
    return code === undefined ? [] : [{ language, code }]
  })
}

/** A function that verifies a delivery, in a language. */
export type Snippet = { language: string; code: string }

/**
 * The functions of docs/webhooks/verify.md, the first of each language: it verifies `webhook-signature`.
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

/** Commands of a page, and what they print where the page shows it. */
export type Step = { commands: string; expected: string | null }

/** The shell commands of a page, block by block. A `text` block shows what the commands before it print. */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  for (const [, language, block = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const last = steps.at(-1)
    if (language === 'sh') steps.push({ commands: block, expected: null })
    else if (language === 'text' && last) last.expected = block
    else throw new Error(`neither commands nor what they print: ${block}`)
  }
  return steps
}

import { parse } from 'yaml'

/** Commands of a page, and their output if the page shows it. */
export type Step = { commands: string; expected: string | null }

/**
 * The shell commands of a page, block by block; a `yaml` block is a workflow of GitHub Actions. A `text` block shows the output of the
 * commands before it.
 */
export function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  for (const [, language, block = ''] of page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)) {
    const last = steps.at(-1)
    if (language === 'sh') steps.push({ commands: block, expected: null })
    else if (language === 'yaml') steps.push({ commands: workflowCommands(block), expected: null })
    else if (language === 'text' && last) last.expected = block
    else throw new Error(`neither commands nor what they print: ${block}`)
  }
  return steps
}

/** All steps in one shell, as a reader pastes them; the output of each is in a file with its number. */
export function scriptOf(steps: readonly Step[], outputs: string): string {
  return ['set -euo pipefail', ...steps.map(({ commands }, n) => `{\n${commands}} > ${outputs}/${n}`)].join('\n')
}

type Workflow = { jobs: Record<string, { env: Record<string, string>; steps: { run?: string }[] }> }

/** The commands of the jobs, one job after the other; secrets and variables are those of the page's own commands. */
function workflowCommands(text: string): string {
  const { jobs } = parse(text) as Workflow
  const scripts = Object.values(jobs).map(({ env, steps }) => {
    const variables = Object.entries(env).map(([name, value]) => `export ${name}="${value.replaceAll(secret, '$$$1')}"`)
    return [...variables, ...steps.flatMap(({ run }) => run ?? [])].join('\n')
  })
  return scripts.map((script) => `(\n${script}\n)\n`).join('')
}

const secret = /\$\{\{ (?:vars|secrets)\.(\w+) \}\}/g

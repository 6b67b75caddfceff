import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

const readme = join(import.meta.dirname, '../../../client/README.md')

/** The item examples in client/README.md, as one program. Later examples are parts of programs. */
export async function clientReadme(): Promise<string> {
  const [ofItems = ''] = (await readFile(readme, 'utf8')).split('### Pages')
  const blocks = [...ofItems.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block)
  return blocks.join('\n')
}

/** The recipe for a framework that client/README.md shows. */
export async function clientRecipe(framework: 'React' | 'Svelte'): Promise<string> {
  const [, section = ''] = (await readFile(readme, 'utf8')).split(`### ${framework}\n`)
  return /^```tsx?\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? ''
}

/** Runs that program. @param imported its imports @returns its output */
export async function runClientReadme(imported: Record<string, unknown>): Promise<unknown[]> {
  const printed: unknown[] = []
  const given = { ...imported, console: { log: (line: unknown) => printed.push(line) } }
  const program = stripTypeScriptTypes(await clientReadme()).replace(/^import .*$/m, '')
  await new AsyncFunction(...Object.keys(given), program)(...Object.values(given))
  return printed
}

const AsyncFunction = (async () => {}).constructor as new (...text: string[]) => (...given: unknown[]) => Promise<void>

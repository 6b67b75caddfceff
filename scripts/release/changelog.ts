/** The sections of a release, in this order: steps for operators, new features, and everything else. */
const titles = ['Before an upgrade', 'New', 'Changed']

type Section = { title: string; entries: string }

/**
 * Moves the entries under "Unreleased" to a release, without empty sections; "Unreleased" is then empty.
 * @param release.date such as 2026-01-31
 * @throws Error with a sentence when "Unreleased" has no entries, or has text outside the sections
 */
export function dateChangelog(text: string, { version, date }: { version: string; date: string }): string {
  const [before = '', after] = text.split(/^## Unreleased$/m)
  if (after === undefined) throw new Error('CHANGELOG.md has no section "Unreleased".')
  const [body = '', ...older] = after.split(/^(?=## )/m)
  const sections = readSections(body).filter(({ entries }) => entries !== '')
  if (sections.length === 0) throw new Error('CHANGELOG.md has no entries under "Unreleased".')
  const parts = sections.map(({ title, entries }) => `### ${title}\n\n${entries}\n\n`)
  return `${before}## Unreleased\n\n## ${version}, ${date}\n\n${parts.join('')}${older.join('')}`.trimEnd().concat('\n')
}

function readSections(body: string): Section[] {
  const [stray = '', ...parts] = body.split(/^### /m)
  const sections = parts.map((part) => {
    const [title = '', ...lines] = part.split('\n')
    return { title, entries: lines.join('\n').trim() }
  })
  const found = sections.map(({ title }) => title)
  const expected = titles.filter((title) => found.includes(title))
  if (stray.trim() !== '' || found.join() !== expected.join()) {
    throw new Error(`"Unreleased" of CHANGELOG.md may have only the sections ${titles.join(', ')}, in this order.`)
  }
  return sections
}

import { readFileSync } from 'node:fs'
import test from 'ava'
import { dateChangelog } from '../../../scripts/release/changelog.ts'

const release = { version: '1.2.0', date: '2026-01-31' }
const dated = (text: string) => dateChangelog(text, release)

test('the entries under "Unreleased" become those of the release, without empty sections', (t) => {
  const text =
    '# Changelog\n\n## Unreleased\n\n### Before an upgrade\n\n### New\n\n- One.\n- Two,\n  longer.\n\n## 1.1.0, 2025-01-31\n\n- Old.\n'
  t.is(
    dated(text),
    '# Changelog\n\n## Unreleased\n\n## 1.2.0, 2026-01-31\n\n### New\n\n- One.\n- Two,\n  longer.\n\n## 1.1.0, 2025-01-31\n\n- Old.\n',
  )
  t.is(
    dated('## Unreleased\n\n### New\n\n- One.\n\n### Changed\n\n- Two.\n'),
    '## Unreleased\n\n## 1.2.0, 2026-01-31\n\n### New\n\n- One.\n\n### Changed\n\n- Two.\n',
  )
})

test('a changelog with nothing to release is rejected', (t) => {
  const message = 'CHANGELOG.md has no entries under "Unreleased".'
  t.throws(() => dated('## Unreleased\n\n### New\n\n## 1.1.0, 2025-01-31\n\n- Old.\n'), { message })
  t.throws(() => dated('# Changelog\n\n- One.\n'), { message: 'CHANGELOG.md has no section "Unreleased".' })
})

test('entries outside the sections, unknown sections and another order are rejected', (t) => {
  const message = /may have only the sections Before an upgrade, New, Changed, in this order\.$/
  for (const body of ['- One.', '### Mended\n\n- One.', '### Changed\n\n- One.\n\n### New\n\n- Two.']) {
    t.throws(() => dated(`## Unreleased\n\n${body}\n`), { message }, body)
  }
})

test('the entries of CHANGELOG.md can be released, or there are none', (t) => {
  const text = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8')
  try {
    t.true(dated(text).includes('\n## 1.2.0, 2026-01-31\n'))
  } catch (error) {
    t.is((error as Error).message, 'CHANGELOG.md has no entries under "Unreleased".')
  }
})

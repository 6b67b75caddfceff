import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dateChangelog } from './changelog.ts'
import { stampVersion, versionPlaces } from './version-places.ts'

const usage = `Releases what is on main: dates the changelog, stamps the version, runs "make check", commits and tags.
node scripts/release/release.ts [--stamp-only] VERSION    VERSION such as 1.2.3; --stamp-only writes it into every file that has
                                                          it, and does nothing else
`

const root = join(import.meta.dirname, '../..')
const changelog = 'CHANGELOG.md'

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const write = (file: string, text: string) => writeFileSync(join(root, file), text)

/** Restores all files when the tree does not pass its checks. @throws Error with a sentence that says why there is no release */
function release(version: string): void {
  assertReleasable(version)
  const date = new Date().toISOString().slice(0, 10)
  const dated = dateChangelog(read(changelog), { version, date })
  stamp(version)
  write(changelog, dated)
  try {
    execFileSync('make', ['check'], { cwd: root, stdio: 'inherit' })
  } catch {
    git('restore', '.')
    throw new Error('make check has failed; all files were restored.')
  }
  git('commit', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `listd ${version}`)
  process.stdout.write(`Released ${version}: git push --follow-tags publishes the commit and the tag v${version}.\n`)
}

function assertReleasable(version: string): void {
  if (git('status', '--porcelain') !== '') throw new Error('there are uncommitted changes.')
  if (git('branch', '--show-current') !== 'main') throw new Error('the current branch is not main.')
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} already exists.`)
  const [major, minor] = version.split('.')
  const fixture = `test/fixtures/released/${major}.${minor}`
  if (!existsSync(join(root, fixture, 'answers.json'))) {
    throw new Error(
      `${fixture} is missing; later releases test their upgrade from it. Run "make version VERSION=${version}", and ` +
        'test/integration/data/migrations/released.test.ts with TEST_UPDATE_FIXTURES=1 on each database, and commit both.',
    )
  }
}

function stamp(version: string): void {
  for (const file of Object.keys(versionPlaces)) write(file, stampVersion(file, { text: read(file), version }))
}

const { values, positionals } = parseArgs({ options: { 'stamp-only': { type: 'boolean' } }, allowPositionals: true })
const [version = '', ...others] = positionals
if (!/^\d+\.\d+\.\d+$/.test(version) || others.length > 0) {
  process.stderr.write(usage)
  process.exit(2)
}
try {
  if (values['stamp-only']) stamp(version)
  else release(version)
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

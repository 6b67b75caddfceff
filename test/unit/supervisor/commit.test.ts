import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { commitFile, findCommit } from '#services/supervisor/commit.ts'
import { testFolder } from '../../support/test-context/folder.ts'

test('the commit of a build is the one that was written down', async (t) => {
  const folder = await testFolder(t)
  await writeFile(join(folder, commitFile), '0123456789ab\n')
  t.is(await findCommit(folder), '0123456789ab')
})

test('the commit of a checkout is the one that git reports, with a note if files were changed', async (t) => {
  const folder = await testFolder(t)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder })
  git('init', '--quiet')
  await writeFile(join(folder, 'file'), 'one')
  git('add', 'file')
  git('commit', '--quiet', '--message', 'One')
  git('tag', 'v1.0.0')
  const commit = String(git('rev-parse', '--short=12', 'HEAD')).trim()
  t.is(await findCommit(folder), commit)
  await writeFile(join(folder, 'file'), 'two')
  t.is(await findCommit(folder), `${commit}-dirty`)
})

test('a folder in the repository of another project has no commit', async (t) => {
  const folder = await testFolder(t)
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  await mkdir(join(folder, 'inside'))
  t.is(await findCommit(join(folder, 'inside')), null)
})

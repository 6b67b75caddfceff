import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { commandsWith } from '../../../support/processes/command-line.ts'
import { testFolder } from '../../../support/test-context/folder.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/** Scripts that print the completions of a line without a terminal; the words of the line are the arguments. */
const harnesses: Record<Shell, string> = {
  bash: `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _listd; printf '%s\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() {}; _files() {}; _describe() { print -l -- "\${(@P)2}" }
    source "$0"; words=("$@"); CURRENT=$#; _listd`,
  fish: 'source $argv[1]; complete -C (string join -- " " $argv[2..-1])',
}

const cases: [line: string, words: string[]][] = [
  ['listd tok', ['token']],
  ['listd token ', ['create', 'delete', 'help', 'list', 'lock', 'rotate', 'rules', 'unlock']],
  ['listd token list --j', ['--json']],
  ['listd token rotate --i', ['--id']],
  ['listd service ', ['gateway', 'identity', 'webhook-dispatcher']],
  ['listd completion ', ['bash', 'fish', 'zsh']],
  ['listd migrate --no', ['--no-backup']],
  ['listd account list ', ['--help', '--json']],
]

async function completes(t: ExecutionContext, shell: Shell): Promise<void> {
  const { stdout, stderr } = await commandsWith({})(['completion', shell])
  t.is(stderr, '')
  const file = join(await testFolder(t), 'script')
  await writeFile(file, stdout)
  if (spawnSync(shell, ['--version']).error) {
    t.pass(`${shell} is not on this machine`)
    return
  }
  for (const [line, words] of cases) {
    const bare = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }[shell]
    const result = spawnSync(shell, [...bare, '-c', harnesses[shell], file, ...line.split(' ')], { encoding: 'utf8' })
    t.is(result.stderr, '', line)
    const current = line.split(' ').at(-1) ?? ''
    // After each word follows its description. zsh itself filters the words that match.
    const found = result.stdout.split('\n').map((one) => one.split(/[\t:]/)[0] ?? '')
    t.deepEqual(found.filter((word) => word !== '' && word.startsWith(current)).toSorted(), words, line)
  }
}

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  test(`${shell} completes commands, sub-commands, options and choices`, (t) => completes(t, shell))
}

test('free text is left to the shell, which completes files', async (t) => {
  const { stdout } = await commandsWith({})(['completion', 'bash'])
  const file = join(await testFolder(t), 'script')
  await writeFile(file, stdout)
  for (const line of ['listd backup ', 'listd token create --name ', 'listd token create --name l']) {
    t.is(
      spawnSync('bash', ['--norc', '-c', harnesses.bash, file, ...line.split(' ')], { encoding: 'utf8' }).stdout,
      '\n',
    )
  }
})

import test from 'ava'
import type { Command } from 'commander'
import packageFile from '#package.json' with { type: 'json' }
import { program } from '#services/supervisor/program.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { commandsWith } from '../../support/processes/command-line.ts'

const run = commandsWith({})

const wrong: [line: string, sentence: string][] = [
  ['satrt', 'unknown command "satrt"; did you mean start? See "listd --help".'],
  ['token creat', 'unknown command "creat"; did you mean create? See "listd token --help".'],
  [
    'token create --alow-all',
    'unknown option "--alow-all"; did you mean --allow-all? See "listd token create --help".',
  ],
  ['account create', 'required option "--name <name>" not specified. See "listd account create --help".'],
  ['backup', 'missing required argument "file". See "listd backup --help".'],
  ['user list me', 'too many arguments for "list". Expected 0 arguments but got 1: me. See "listd user list --help".'],
  [
    'service kitchen',
    '"kitchen" is invalid for argument "name". Allowed choices are gateway, webhook-dispatcher, identity. See "listd service --help".',
  ],
]

test('a usage error is reported in one line, with the most similar name and where to find help, and nothing else', async (t) => {
  for (const [line, sentence] of wrong) {
    t.deepEqual(await run(line.split(' ')), { code: 1, stdout: '', stderr: `listd: ${sentence}\n` }, line)
  }
})

test('the version is printed with the commit and the version of the schema', async (t) => {
  for (const option of ['--version', '-V']) {
    const { code, stdout, stderr } = await run([option])
    t.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    t.true(stdout.startsWith(`${packageFile.version} (`))
    t.regex(stdout, new RegExp(`[( ]schema ${migrations.at(-1)?.version}\\)\n$`))
  }
})

test('with --json an error is JSON on standard output too, with the same exit code', async (t) => {
  const usage = await run(['token', 'list', '--json', '--foo'])
  t.deepEqual(JSON.parse(usage.stdout), {
    name: 'USAGE_INVALID',
    message: 'unknown option "--foo". See "listd token list --help".',
    exitCode: 1,
  })
  const config = await run(['user', 'list', '--json'], { env: { LISTD_GATEWAY_PORT: 'x' } })
  t.like(JSON.parse(config.stdout), { name: 'CONFIGURATION_INVALID', errors: [{ key: 'gateway.port' }], exitCode: 1 })
  const missing = await run(['schema', 'wait', '--json'])
  t.regex(missing.stderr, /^listd: LISTD_URL is not set/)
  t.like(JSON.parse(missing.stdout), { name: 'COMMAND_FAILED', exitCode: 1 })
})

test('the help groups the commands, and has examples of each and the document with more', async (t) => {
  const { stdout, code } = await run(['--help'])
  t.is(code, 0)
  const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
  t.deepEqual(headings, ['Options', 'Run', 'Data', 'People and programs', 'A listd somewhere else', 'Maintenance'])
  for (const command of leavesOf(program(process))) {
    const help = await run([...command, '--help'])
    t.is(help.code, 0)
    t.regex(help.stdout, /\nExamples:\n {2}\S[\s\S]*\n\ndocs\/command-line\.md describes every command\.\n$/)
    for (const [, example = ''] of help.stdout.matchAll(/^ {2}(listd .*)$/gm)) await isUnderstood(example)
  }

  /** Asserts that every long option belongs to the command, and that the command has no subcommand. */
  async function isUnderstood(example: string): Promise<void> {
    const args = wordsOf(example).slice(1)
    const { command } = find(program(process), args)
    const known = command.options.flatMap(({ short, long }) => [short, long])
    for (const word of args.filter((word) => word.startsWith('--'))) t.true(known.includes(word), example)
    t.deepEqual(command.commands, [], example)
  }
})

/** The names of all commands without subcommands. */
function leavesOf(command: Command, names: readonly string[] = []): (readonly string[])[] {
  if (command.commands.length === 0) return [names]
  return command.commands.flatMap((one) => leavesOf(one, [...names, one.name()]))
}

function find(command: Command, [name, ...rest]: readonly string[]): { command: Command } {
  const found = command.commands.find((one) => one.name() === name)
  return found ? find(found, rest) : { command }
}

/** The words of a line, up to a pipe, a redirection or a comment. */
function wordsOf(line: string): string[] {
  const [called = ''] = line.split(/ (?:[|<>]|#) ?/)
  return called.match(/'[^']*'|"[^"]*"|\S+/g) ?? []
}

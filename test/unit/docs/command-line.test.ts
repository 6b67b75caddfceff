import { readFileSync } from 'node:fs'
import test from 'ava'
import type { Command } from 'commander'
import { program } from '#services/supervisor/program.ts'
import { exitCodes } from '#services/supervisor/terminal/command-failed.ts'
import { startExitCodes } from '#shared/lifecycle/start-error.ts'

const text = readFileSync(new URL('../../../docs/command-line.md', import.meta.url), 'utf8')

/** The full names of all commands that run something. */
function namesOf(command: Command, before: string): string[] {
  const name = `${before}${command.name()}`
  return command.commands.length === 0 ? [name] : command.commands.flatMap((part) => namesOf(part, `${name} `))
}

test('docs/command-line.md describes every command, and no other', (t) => {
  const documented = [...text.matchAll(/^\| `(listd [a-z -]+?)(?: <\w+>| --status)?` \|/gm)].map(([, name]) => name)
  t.deepEqual([...new Set(documented)].sort(), namesOf(program(process), '').sort())
})

test('docs/command-line.md names the commands with JSON output', (t) => {
  const withJson = (command: Command, before: string): string[] => {
    const name = `${before}${command.name()}`
    const own = command.options.some(({ long }) => long === '--json') ? [name] : []
    return [...own, ...command.commands.flatMap((part) => withJson(part, `${name} `))]
  }
  const others = withJson(program(process), '').filter((name) => !/ list$|^listd (schema|token|user) /.test(name))
  t.deepEqual(others, [
    'listd migrate',
    'listd secrets status',
    'listd items import',
    'listd flows check',
    'listd flows test',
    'listd flows push',
    'listd flows runs',
    'listd flows run',
    'listd flows repeat',
    'listd webhooks deliveries',
    'listd webhooks redeliver',
    'listd webhooks listen',
    'listd events tail',
    'listd doctor',
    'listd config print',
  ])
})

test('docs/command-line.md describes every exit code', (t) => {
  const documented = [...text.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code))
  t.deepEqual(documented, [0, 1, ...Object.values(exitCodes), startExitCodes.tryAgain, startExitCodes.configuration])
})

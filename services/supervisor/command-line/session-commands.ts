import type { Command } from 'commander'
import type { Terminal } from '../terminal/terminal.ts'
import { examples, ofProfile, passwordFromStdin } from './options.ts'

/** Commands that sign a user in to a listd, and out. */
export function addSessionCommands(listd: Command, terminal: Terminal): void {
  listd
    .command('login')
    .description('sign in to a listd as a user, and save the session for the commands that need one')
    .requiredOption('--email <email>', 'the email of the user')
    .option('--url <url>', 'the address of the listd; by default that of the profile, or LISTD_URL')
    .option(...ofProfile)
    .option(...passwordFromStdin)
    .addHelpText(
      ...examples(
        'listd login --email you@example.com --url https://lists.example.com',
        'listd login --email you@example.com --profile staging --password-stdin < password-file',
      ),
    )
    .action(async (options) => (await import('../remote/sessions/login.ts')).loginCommand(terminal, options))
  listd
    .command('logout')
    .description('end the session that "listd login" started, and forget it')
    .option(...ofProfile)
    .option('--force', 'forget the session even when it cannot be ended')
    .addHelpText(...examples('listd logout', 'listd logout --profile staging'))
    .action(async (options) => {
      await (await import('../remote/sessions/login.ts')).logoutCommand(terminal, options)
    })
}

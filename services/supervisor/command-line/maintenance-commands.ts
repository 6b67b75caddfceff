import { Argument, type Command } from 'commander'
import { completionScript, shells } from '../completion/script.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { asJson, examples } from './options.ts'

/** Read-only commands about this installation. */
export function addMaintenanceCommands(listd: Command, terminal: Terminal): void {
  listd
    .command('doctor')
    .description('find what is missing or wrong and say how to fix it; exit code 1 when something needs fixing')
    .option(...asJson)
    .addHelpText(...examples('listd doctor', 'listd doctor --json'))
    .action(async (options) => (await import('../commands/doctor.ts')).doctorCommand(terminal, options))
  listd
    .command('config')
    .description('show the configuration')
    .command('print')
    .description('print every setting and where its value comes from; secrets are not shown')
    .option(...asJson)
    .addHelpText(...examples('listd config print'))
    .action(async (options) => (await import('../commands/config.ts')).printConfigCommand(terminal, options))
  listd
    .command('support')
    .description('write an archive for a bug report, without secrets; prints its path')
    .option('--output <file>', 'where to write it, instead of listd-support-<time>.tar.gz in this folder')
    .option('--log <file>', 'read the last log lines from this file; otherwise from the journal of the unit listd')
    .addHelpText(...examples('listd support', 'listd support --log /var/log/listd.log --output report.tar.gz'))
    .action(async (options) => (await import('../commands/support.ts')).supportCommand(terminal, options))
  listd
    .command('completion')
    .description('print a shell completion script for the commands and options of listd')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText(
      ...examples(
        'source <(listd completion bash)    # or in ~/.bashrc',
        'source <(listd completion zsh)     # or in ~/.zshrc',
        'listd completion fish > ~/.config/fish/completions/listd.fish',
      ),
    )
    .action((shell) => void terminal.stdout.write(completionScript(listd, shell)))
  listd
    .command('licenses')
    .description('print the licenses of listd and of everything that is shipped with it')
    .addHelpText(...examples('listd licenses | less'))
    .action(async () => (await import('../commands/licenses.ts')).printLicenses(terminal))
}

// Options that several commands share, with the same texts.

export const asJson = ['--json', 'print JSON, also for errors'] as const
export const unasked = ['--yes', 'do not ask for confirmation'] as const
export const oneAccount = ['--account <account>', 'name or id of the account; required if there are several'] as const
export const onlyAccount = ['--account <account>', 'only those of this account, by name or id'] as const
export const passwordFromStdin = ['--password-stdin', 'read the password from standard input'] as const
export const ofProfile = [
  '--profile <name>',
  'the login profile to use; by default LISTD_PROFILE, or "default"',
] as const

/** Arguments of `addHelpText`: example lines below the help of a command, ready to paste into a shell. */
export function examples(...lines: readonly string[]): readonly ['after', string] {
  return ['after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`]
}

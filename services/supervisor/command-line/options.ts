// Options that several commands have, with the same words in each.

export const asJson = ['--json', 'print JSON, also of an error'] as const
export const unasked = ['--yes', 'do not ask'] as const
export const oneAccount = ['--account <account>', 'name or id of the account; required if there are several'] as const
export const onlyAccount = ['--account <account>', 'only those of this account, by name or id'] as const
export const passwordFromStdin = ['--password-stdin', 'read the password from standard input'] as const
export const ofProfile = ['--profile <name>', 'a name for who is signed in; else LISTD_PROFILE, or "default"'] as const

/** Arguments of `addHelpText`: below the help of a command, lines that can be pasted into a shell. */
export function examples(...lines: readonly string[]): readonly ['after', string] {
  return ['after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`]
}

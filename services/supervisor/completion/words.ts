import type { Command, Option } from 'commander'
import { shellWord } from '../terminal/shell-word.ts'

/** A word that a shell may complete, and what it means. */
type Word = { word: string; about: string }

/** What may follow a command on its line. */
export type CommandWords = {
  /** Its name after those of its parents: `listd token create`. */
  path: string
  /** Its sub-commands, and the choices of its argument; its options if it has neither, and no free text. */
  words: readonly Word[]
  /** Whether it accepts a file, or another text that cannot be listed. */
  takesText: boolean
  options: readonly OptionWords[]
}

export type OptionWords = Word & { takesValue: boolean }

/** The words of a command and of all its sub-commands, without hidden ones. */
export function commandWords(command: Command, parents = ''): CommandWords[] {
  const path = `${parents}${command.name()}`
  const help = command.createHelp()
  const named = help.visibleCommands(command).map((one) => ({ word: one.name(), about: one.description() }))
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((word) => ({ word, about: description })),
  )
  const words = [...named, ...choices]
  const takesText = command.registeredArguments.some(({ argChoices }) => argChoices === undefined)
  const options = help.visibleOptions(command).flatMap(optionWords)
  const own = { path, words: words.length > 0 || takesText ? words : options, takesText, options }
  return [own, ...command.commands.flatMap((one) => commandWords(one, `${path} `))]
}

/** An option may have two names: `--id, --token <token>`. */
function optionWords({ short, long, required, optional, description }: Option): OptionWords[] {
  const names = [short, long].filter((name) => name?.startsWith('--'))
  return names.map((word = '') => ({ word, about: description, takesValue: required || optional }))
}

/** Patterns of `case` in bash and zsh: all commands below the program, and all options that take a value, after their command. */
export function patterns(commands: readonly CommandWords[]): { below: string; valueOptions: string } {
  const withValue = commands.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map(({ word }) => `${path} ${word}`),
  )
  const pattern = (texts: readonly string[]) => texts.map(shellWord).join('|')
  return { below: pattern(commands.slice(1).map(({ path }) => path)), valueOptions: pattern(withValue) }
}

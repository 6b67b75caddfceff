import type { Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { commandWords } from './words.ts'
import { zshScript } from './zsh.ts'

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

export const shells = Object.keys(scripts) as (keyof typeof scripts)[]

/** A script for a shell that completes the commands, options and choices of a program. */
export function completionScript(program: Command, shell: keyof typeof scripts): string {
  return scripts[shell](commandWords(program))
}

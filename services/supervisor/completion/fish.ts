import type { CommandWords, OptionWords } from './words.ts'

/** Completes `listd` in fish; completes files where no words are known. */
export function fishScript(commands: readonly CommandWords[]): string {
  const below = commands.slice(1).map(({ path }) => quoted(path))
  return `# Completion of listd for fish: listd completion fish | source
function __listd_is_at
    set -l command listd
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case ${below.join(' ')}
                set command "$command $word"
        end
    end
    test "$command" = "$argv"
end
complete -c listd -e
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf({ path, words, takesText, options }: CommandWords): string[] {
  const at = `complete -c listd -n ${quoted(`__listd_is_at ${path}`)}`
  return [
    ...(takesText ? [] : [`${at} -f`]),
    ...words.map(({ word, about }) => `${at} -a ${word} -d ${quoted(about)}`),
    ...options.map((option) => `${at} ${optionOf(option)}`),
  ]
}

function optionOf({ word, about, takesValue }: OptionWords): string {
  return `-l ${word.slice('--'.length)}${takesValue ? ' -r' : ''} -d ${quoted(about)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}

import { shellWord } from '../terminal/shell-word.ts'
import { type CommandWords, patterns } from './words.ts'

/** Completes `listd` in zsh, whether the script is sourced or found in `fpath`; completes files where no words are known. */
export function zshScript(commands: readonly CommandWords[]): string {
  const { below, valueOptions } = patterns(commands)
  return `#compdef listd
# Completion of listd for zsh: source <(listd completion zsh)
_listd() {
  local command=listd word
  local -a found options
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$command $word" in
      ${below}) command="$command $word" ;;
    esac
  done
  case "$command \${words[CURRENT-1]}" in
    ${valueOptions}) _files; return ;;
  esac
  case "$command" in
${commands.map(wordCase).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then found=($options); fi
  if (( $#found )); then _describe listd found; else _files; fi
}
if [[ \${funcstack[1]} == _listd ]]; then _listd "$@"; else compdef _listd listd; fi
`
}

function wordCase({ path, words, options }: CommandWords): string {
  return `    ${shellWord(path)}) found=(${described(words)}) options=(${described(options)}) ;;`
}

function described(words: CommandWords['words']): string {
  return words.map(({ word, about }) => shellWord(`${word}:${about}`)).join(' ')
}

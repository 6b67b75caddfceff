import { shellWord } from '../terminal/shell-word.ts'
import { type CommandWords, patterns } from './words.ts'

/** Completes `listd` in bash, called by any path; completes files where no words are known. */
export function bashScript(commands: readonly CommandWords[]): string {
  const { below, valueOptions } = patterns(commands)
  return `# Completion of listd for bash: source <(listd completion bash)
_listd() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  local command=listd word words= options=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$command $word" in
      ${below}) command="$command $word" ;;
    esac
  done
  case "$command $previous" in
    ${valueOptions}) return ;;
  esac
  case "$command" in
${commands.map(wordCase).join('\n')}
  esac
  if [[ $current == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _listd listd
`
}

function wordCase({ path, words, options }: CommandWords): string {
  const listOf = (list: CommandWords['words']) => shellWord(list.map(({ word }) => word).join(' '))
  return `    ${shellWord(path)}) words=${listOf(words)} options=${listOf(options)} ;;`
}

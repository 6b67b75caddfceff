import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { Extension } from '@codemirror/state'
import {
  jsonCompletion,
  keyOption,
  type OptionsAt,
  valueOption,
} from '#services/dashboard/parts/editor/json-completion.ts'
import { functions } from '#shared/domain/expression/functions/functions.ts'
import { nodeAbouts } from '#shared/domain/flow/language/properties.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { pointerAt } from '#shared/json/text/place.ts'
import { documentOptions, expressionAt, membersBehind, type NamedInAccount } from './flow-options.ts'
import { helperNamesIn, openAt } from './flow-place.ts'

/** Completes flow documents, including the names and functions of expressions. @param named is called for each completion */
export function flowCompletion(named: () => NamedInAccount): Extension {
  const inputKeys = inputKeysOf()
  const options: OptionsAt = (pointer, beginsMember, { text, at }) => {
    const { lists, webhooks } = named()
    const { keys, values } = documentOptions(text, at, pointer, { lists, webhooks })
    if (values.length === 0) return beginsMember ? keys.map(([name, about]) => keyOption(name, about)) : []
    const abouts = new Map<unknown, string>([...Object.entries(nodeAbouts), ...webhooks])
    return values.map((value) => ({ ...valueOption(value), detail: abouts.get(value) ?? '' }))
  }
  return jsonCompletion(options, (context) => completeExpression(context, inputKeys))
}

type InputKeys = (text: string) => readonly string[]

function completeExpression(
  { state, pos, explicit }: CompletionContext,
  inputKeys: InputKeys,
): CompletionResult | null {
  const text = state.doc.toString()
  const { string } = openAt(text, pos)
  const place = string === null ? null : expressionAt(text, pos, pointerAt(text, pos))
  if (string === null || !place) return null
  const [path = ''] = /(?:[A-Za-z_]\w*\??\.)*\w*$/.exec(text.slice(string + 1, pos)) ?? []
  const behind = path.split(/\??\./)
  const word = behind.pop() ?? ''
  if (path === '' && !explicit) return null
  const options =
    behind.length > 0
      ? membersBehind(text, behind, inputKeys(text)).map((label) => ({ label }))
      : [...place.names, ...helperNamesIn(text)].map((label): Completion => ({ label })).concat(functionOptions)
  return options.length > 0 ? { from: pos - word.length, options, validFor: /^\w*$/ } : null
}

const functionOptions: readonly Completion[] = [...functions].map(([name, { least, callback }]) => ({
  label: name,
  detail: callback === undefined ? 'function' : 'function of a list, takes x => …',
  apply: `${name}(${least === 0 ? ')' : ''}`,
  boost: -1,
}))

/** The properties of the input; while the text is not valid JSON, those of its last valid state. */
function inputKeysOf(): InputKeys {
  let last: readonly string[] = []
  return (text) => {
    try {
      const properties = member(member(member(JSON.parse(text), 'entry'), 'input'), 'properties')
      last = isObject(properties) ? Object.keys(properties) : []
    } catch {
      // It is being typed.
    }
    return last
  }
}

const member = (value: unknown, name: string) => (isObject(value) ? own(value, name) : undefined)

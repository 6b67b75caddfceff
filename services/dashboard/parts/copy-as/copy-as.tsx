import { useState } from 'preact/hooks'
import { CopyButton, copyText } from '../controls/copy.tsx'
import { Menu, MenuItem } from '../controls/menu.tsx'
import { type ApiCall, callText, type Language, languages } from './call-text.ts'

/** A button that copies a call as a program. @param call a function, if building the call is expensive */
export function CopyAs({ call }: { call: ApiCall | (() => ApiCall) }) {
  const copy = (language: Language) => {
    const created = typeof call === 'function' ? call() : call
    copyText(callText(created, language, location.origin), `The ${language}`)
  }
  return (
    <Menu label="Copy as" icon="copy" kind="quiet">
      {languages.map((language) => (
        <MenuItem key={language} onPress={() => copy(language)}>
          {language}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** A call as a program, in one of the languages. */
export function CallSnippet({ title, call }: { title: string; call: ApiCall }) {
  const [language, setLanguage] = useState<Language>('curl')
  const text = callText(call, language, location.origin)
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2 class="grow">{title}</h2>
        <select
          class="input language"
          aria-label={`Language of "${title}"`}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
        >
          {languages.map((one) => (
            <option key={one} value={one} selected={one === language}>
              {one}
            </option>
          ))}
        </select>
        <CopyButton text={text} what={title} />
      </header>
      <pre class="code in" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}

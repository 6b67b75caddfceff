import { useState } from 'preact/hooks'
import type { Webhook } from '#client/src/types/user-resources.ts'
import verifyPage from '#docs/webhooks/verify.md'
import { CopyButton } from '#services/dashboard/parts/controls/copy.tsx'
import { Pick } from '#services/dashboard/parts/controls/pick.tsx'
import { snippetsOf } from './verify-snippets.ts'
import { VerifyTool } from './verify-tool.tsx'

/** A tool that verifies a received request and explains a failure, and code that verifies requests in a receiver. */
export function VerifyTab({ webhook }: { webhook: Webhook }) {
  return (
    <div class="wrap calls">
      <VerifyTool webhook={webhook} />
      <Snippets />
    </div>
  )
}

const snippets = snippetsOf(verifyPage)

function Snippets() {
  const [chosen, setChosen] = useState(snippets[0])
  if (!chosen) return null
  return (
    <section class="card" aria-label="In your receiver">
      <header>
        <h2 class="grow">In your receiver</h2>
        <Pick
          label="Language"
          value={chosen.language}
          choices={snippets.map(({ language }) => [language, language])}
          onValue={(language) => setChosen(snippets.find((one) => one.language === language))}
        />
        <CopyButton text={chosen.code} what="The function" />
      </header>
      <pre class="code in" tabIndex={0}>
        {chosen.code}
      </pre>
    </section>
  )
}

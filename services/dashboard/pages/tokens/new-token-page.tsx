import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { ApiTokenWithValue } from '#client/src/types/user-resources.ts'
import { navigate } from '../../address/location.ts'
import { account } from '../../api/client.ts'
import { Form } from '../../forms/form.tsx'
import { useSaving } from '../../forms/use-saving.ts'
import { Button } from '../../parts/controls/button.tsx'
import { Choice, TextField } from '../../parts/controls/field.tsx'
import { tokensCrumb } from '../../parts/page/crumbs.ts'
import { Page } from '../../parts/page/page.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { useKnown } from './effect/known.ts'
import { templates } from './templates.ts'
import { TokenValue } from './token-value.tsx'

/** Creates a token with a name and the rules of a template. The user can change the rules later. */
export function NewTokenPage() {
  const form = useNewToken()
  const known = useKnown([])
  return (
    <Page title="New token" crumbs={[tokensCrumb]} lead="Create one for each program.">
      <Form class="settings" problems={form.problems} onSend={form.create}>
        <section class="form" aria-label="Token">
          <TextField
            label="Name"
            help="The name of the program that uses it."
            value={form.name}
            onValue={form.setName}
            problem={form.problems.get('name')}
            autofocus
            required
          />
          <Choice
            label="What it is for"
            help={form.template.about}
            value={form.template.name}
            onValue={form.setTemplate}
            choices={templates.map(({ name }) => ({ value: name, label: name }))}
          />
          {form.template.lists && (
            <Choice
              label="Lists"
              value={form.list}
              onValue={form.setList}
              choices={[
                { value: '', label: 'All lists' },
                ...(known.data?.lists ?? []).map(({ id, pathName }) => ({ value: id, label: pathName })),
              ]}
            />
          )}
          {form.other && <Problem error={form.other} />}
          <div class="row">
            <Button kind="primary" sends busy={form.busy}>
              Create the token
            </Button>
            <span class="muted">You can change its rules later.</span>
          </div>
        </section>
      </Form>
      {form.created && <TokenValue token={form.created} onClose={form.leave} />}
    </Page>
  )
}

function useNewToken() {
  const [name, setName] = useState('')
  const [chosen, setTemplate] = useState(templates[0]?.name ?? '')
  const [list, setList] = useState('')
  const { run, ...saving } = useSaving()
  const [created, setCreated] = useState<ApiTokenWithValue>()
  const template = templates.find((one) => one.name === chosen) ?? {
    name: '',
    about: '',
    lists: false,
    rules: () => [],
  }
  const permissions = template.rules(template.lists && list ? [list] : undefined)
  const create = () => {
    if (!created) run(async () => setCreated(await account.tokens.create({ name, permissions })), { stale: 'tokens' })
  }
  const leave = () => navigate(route`/tokens/${created?.id ?? ''}`, { replace: true })
  return { name, setName, template, setTemplate, list, setList, created, create, leave, ...saving }
}

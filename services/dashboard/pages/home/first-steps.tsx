import { useState } from 'preact/hooks'
import { route } from '#client/src/transport.ts'
import type { List } from '#client/src/types/resources.ts'
import { account } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { useResource } from '../../api/resource.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { CopyButton } from '../../parts/controls/copy.tsx'
import { Icon } from '../../parts/controls/icon.tsx'
import { Pill } from '../../parts/display/marks.tsx'

/** The first steps in a new account. Each is checked off automatically. The section disappears when all are done, or when the user hides it. */
export function FirstSteps({ lists }: { lists: readonly List[] }) {
  const [isHidden, setHidden] = useState(readHidden)
  const counts = useResource(isHidden ? null : 'first steps', async (signal) => {
    const [tokens, webhooks] = await Promise.all([
      account.tokens.all({ limit: 1, signal }).page(1),
      account.webhooks.all({ limit: 1, signal }).page(1),
    ])
    return { tokens: tokens.total, webhooks: webhooks.total }
  })
  if (isHidden || !counts.data) return null
  const steps = stepsOf(lists, counts.data)
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  if (!next) return null
  const hide = () => {
    keepHidden()
    setHidden(true)
  }
  return (
    <section class="stack" aria-labelledby="first-steps">
      <div class="row">
        <h2 class="grow" id="first-steps">
          Start here
        </h2>
        <span class="muted small">
          {done} of {steps.length} done
        </span>
        <Button kind="quiet" onPress={hide}>
          Hide
        </Button>
      </div>
      <ol class="steps">
        {steps.map((step) => (
          <Step key={step.title} step={step} isNext={step === next} />
        ))}
      </ol>
    </section>
  )
}

type StepOf = { title: string; text: string; isDone: boolean; to?: string; label?: string; command?: string }

function Step({ step, isNext }: { step: StepOf; isNext: boolean }) {
  const { title, text, isDone, to, label, command } = step
  return (
    <li class={isDone ? 'done' : undefined}>
      <Pill tone={isDone ? 'good' : isNext ? 'accent' : undefined}>
        {isDone && <Icon name="done" />}
        {isDone ? 'done' : isNext ? 'next' : 'later'}
      </Pill>
      <b>{title}</b>
      <span class="muted">{text}</span>
      {!isDone && command && (
        <div class="row">
          <code class="grow">{command}</code>
          <CopyButton text={command} what="The command" />
        </div>
      )}
      {!isDone && to !== undefined && (
        <LinkButton to={to} kind={isNext ? 'primary' : undefined}>
          {label}
        </LinkButton>
      )}
    </li>
  )
}

function stepsOf(lists: readonly List[], { tokens, webhooks }: { tokens: number; webhooks: number }): StepOf[] {
  const [list] = lists
  return [
    {
      title: 'Create a list',
      text: 'Paste JSON, and listd proposes a schema and indexes.',
      isDone: lists.length > 0,
      to: '/new-list',
      label: 'Paste JSON',
    },
    {
      title: 'Add an item',
      text: 'Any JSON that matches the schema of the list.',
      isDone: lists.some((list) => itemsIn(list) > 0),
      ...(list && { to: route`/lists/${list.pathName}`, label: `Open ${list.pathName}` }),
    },
    {
      title: 'Create a token',
      text: 'Your app sends it with each request.',
      isDone: tokens > 0,
      to: '/new-token',
      label: 'New token',
      command: 'listd token create --name my-app --allow-all --expires 30d',
    },
    {
      title: 'Add a webhook',
      text: 'Your app receives every change, signed and in order.',
      isDone: webhooks > 0,
      to: '/new-webhook',
      label: 'Add a webhook',
    },
  ]
}

const hiddenKey = 'listd.first-steps'

function readHidden(): boolean {
  try {
    return localStorage.getItem(hiddenKey) === 'hidden'
  } catch {
    // Without storage, the steps are shown each time.
    return false
  }
}

function keepHidden(): void {
  try {
    localStorage.setItem(hiddenKey, 'hidden')
  } catch {
    // As above.
  }
}

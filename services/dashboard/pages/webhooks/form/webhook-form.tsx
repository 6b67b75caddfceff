import type { ListdError } from '#client/src/error.ts'
import type { WebhookEvent } from '#client/src/types/user-resources.ts'
import { fieldErrors } from '#services/dashboard/api/field-errors.ts'
import type { FormOf } from '#services/dashboard/forms/use-edits.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Switch, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { sentence } from '#services/dashboard/parts/display/text.tsx'
import { itemEventTypes } from '#shared/domain/webhook/event-types.ts'
import { ListChoice } from './list-choice.tsx'
import type { WebhookDraft } from './webhook-draft.ts'

type WebhookFormProps = {
  /** The names of the webhook's headers. */
  headerNames: readonly string[]
  form: FormOf<WebhookDraft>
}

/** The receiver of a webhook, and the events to send. */
export function WebhookFieldset({ headerNames, form }: WebhookFormProps) {
  const { draft, edit, text, problems } = form
  const chosen = new Set(draft.events)
  const choose = (type: WebhookEvent, on: boolean) =>
    edit({ events: itemEventTypes.filter((one) => (one === type ? on : chosen.has(one))) })
  return (
    <>
      <section class="form" aria-label="Endpoint">
        <h2>Endpoint</h2>
        <TextField
          label="URL"
          help="An https address of a public host. It is called once before it is saved."
          placeholder="https://example.com/hooks/listd"
          mono
          {...text('url')}
          required
        />
        <TextField label="Description" help="Its name in the dashboard, and its purpose." {...text('description')} />
        <Headers names={headerNames} lines={draft.headers} edit={edit} problem={problems.get('headers')} />
      </section>
      <section class="form" aria-label="Events">
        <h2>Events</h2>
        {itemEventTypes.map((type) => (
          <Switch
            key={type}
            label={type}
            help={about[type]}
            on={chosen.has(type)}
            onChange={(on) => choose(type, on)}
          />
        ))}
        {draft.events.length === 0 && (
          <p class="muted">Without an event type, it receives only what flows send to it.</p>
        )}
        <ListChoice ids={draft.listIds} problem={problems.get('listIds')} onChoose={(listIds) => edit({ listIds })} />
        <TextField
          label="Only items with these values"
          help="One per line, as list/index = filter, for example recipes/minutes = lt:30. The index must have filtering on. recipes/activated = true excludes drafts; tagged and readonly also filter. Lists without a line are sent in full, including drafts."
          lines={2}
          mono
          {...text('where')}
        />
        <TextField
          label="Most requests a second"
          help="Further requests wait. Leave empty for no limit."
          {...text('maxRequestsPerSecond')}
        />
      </section>
    </>
  )
}

type HeadersProps = {
  names: readonly string[]
  lines: string | null
  edit: WebhookFormProps['form']['edit']
  problem: string | undefined
}

/** The fixed headers of every request. Of the present ones, only the names are shown. */
function Headers({ names, lines, edit, problem }: HeadersProps) {
  const isKept = lines === null && names.length > 0
  if (isKept) {
    return (
      <div class="row wraps">
        <span class="grow">
          Fixed headers: <span class="mono">{names.join(', ')}</span>
        </span>
        <Button onPress={() => edit({ headers: '' })}>Replace them…</Button>
      </div>
    )
  }
  return (
    <TextField
      label="Fixed headers"
      help={`One per line, for example authorization: Bearer …. Their values are never shown again.${names.length > 0 ? ' These replace the current ones; leave empty to remove them.' : ''}`}
      lines={3}
      mono
      value={lines ?? ''}
      problem={problem}
      onValue={(headers) => edit({ headers })}
    />
  )
}

const about: Readonly<Record<WebhookEvent, string>> = {
  'item.created': 'An item was created.',
  'item.updated': 'Data, tags or another field of an item changed.',
  'item.restored': 'A deleted item was restored.',
  'item.deleted': 'An item was deleted.',
}

/** The errors of a response, by field of the form. */
export function webhookProblems(error: ListdError): ReadonlyMap<string, string> {
  if (error.name === 'INDEX_NOT_USABLE') return new Map([['where', sentence(error.message)]])
  if (error.name === 'WEBHOOK_URL_REFUSED') return new Map([['url', sentence(error.message)]])
  return new Map([...fieldErrors(error)].map(([field, message]) => [field, sentence(message)]))
}

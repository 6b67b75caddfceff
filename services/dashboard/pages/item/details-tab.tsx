import { route } from '#client/src/transport.ts'
import { navigate } from '../../address/location.ts'
import { client } from '../../api/client.ts'
import { Form } from '../../forms/form.tsx'
import { useEdits } from '../../forms/use-edits.ts'
import { useSaving } from '../../forms/use-saving.ts'
import { Button, LinkButton } from '../../parts/controls/button.tsx'
import { Copied } from '../../parts/controls/copy.tsx'
import { Switch, TextField } from '../../parts/controls/field.tsx'
import { LeaveGuard } from '../../parts/dialogs/leave-guard.tsx'
import { Facts } from '../../parts/display/marks.tsx'
import { At, size } from '../../parts/display/text.tsx'
import { Problem } from '../../parts/problems/problem.tsx'
import { Activity } from '../activity/activity.tsx'
import { itemsKey, refreshItems } from '../lists/list-items.ts'
import { changedDetails, type Details, detailsOf, flags } from './details.ts'
import { Hidden, type ItemTabProps } from './item-tab.tsx'
import { deleteItem } from './restore-item.ts'

/** An item's details (everything except its data), with buttons to duplicate or delete it. */
export function DetailsTab({ list, item, title, alias, guarded }: ItemTabProps) {
  return (
    <div class="wrap details">
      <DetailsForm list={list} item={item} />
      <Facts
        facts={[
          ['Id', <Copied key="id" text={item.id} what="The id" />],
          ['Alias', alias === null ? '–' : <Copied key="alias" text={alias} what="The alias" />],
          ['Owner', item.identity?.displayName ?? '–'],
          ['Created', <At key="created" at={item.createdAt} />],
          ['Changed', <At key="changed" at={item.updatedAt} />],
          ['Size', size(item.size)],
          ['ETag', <code key="etag">{item.etag}</code>],
          ['Hidden', guarded.length > 0 ? <Hidden key="hidden" guarded={guarded} /> : 'nothing'],
        ]}
      />
      {guarded.length > 0 && (
        <p class="muted">API tokens cannot see the values at locked pointers, or anything below them.</p>
      )}
      <Activity
        of={`${itemsKey(list)}activity ${item.id}`}
        read={(options) => client.list(list).stats(item.id, options)}
      />
      <Ends list={list} item={item} title={title} />
    </div>
  )
}

function DetailsForm({ list, item }: Pick<ItemTabProps, 'list' | 'item'>) {
  const { text, flag, changed, problems, error, busy, save } = useEdits({
    stored: detailsOf(item),
    changesOf: (details: Details) => changedDetails(item, details),
    // Refresh also after a failure: if somebody else changed the item, the next attempt starts from their version.
    write: (changes) =>
      client
        .list(list)
        .update(item.id, changes, { ifMatch: item.etag, includeData: false })
        .finally(() => refreshItems(list)),
    said: 'The details were saved.',
  })
  return (
    <Form label="Details" problems={problems} onSend={save}>
      {changed > 0 && <LeaveGuard what="Your changes to the details" parameters={['tab']} />}
      {error && <Problem error={error} />}
      {flags.map(({ name, label, help }) => (
        <Switch key={name} label={label} help={help} {...flag(name)} />
      ))}
      {texts.map(({ name, ...look }) => (
        <TextField key={name} {...look} {...text(name)} />
      ))}
      <div class="ends">
        <Button sends kind="primary" busy={busy} disabled={changed === 0}>
          Save details
        </Button>
      </div>
    </Form>
  )
}

const texts = [
  { name: 'description', label: 'Description', lines: 3 },
  { name: 'tags', label: 'Tags', help: 'Separated by commas.' },
  {
    name: 'version',
    label: 'Version',
    help: 'Every write increments the last part. You can set a greater version.',
    mono: true,
  },
] as const

function Ends({ list, item, title }: Pick<ItemTabProps, 'list' | 'item' | 'title'>) {
  const { run, error } = useSaving()
  const remove = () =>
    run(async () => {
      await deleteItem(list, item, title)
      navigate(route`/lists/${list}`, { unasked: true })
    })
  return (
    <section class="stack" aria-label="Copy or delete">
      {error && <Problem error={error} />}
      <div class="row">
        <LinkButton to={`${route`/lists/${list}/new-item`}?from=${item.id}`} icon="copy">
          Duplicate…
        </LinkButton>
        <Button kind="bad" onPress={remove}>
          Delete the item
        </Button>
        <span class="muted">You can undo this for 30 s, or restore the item later from its history.</span>
      </div>
    </section>
  )
}

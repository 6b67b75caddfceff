import { useState } from 'preact/hooks'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Switch } from '#services/dashboard/parts/controls/field.tsx'
import { JsonEditor } from '#services/dashboard/parts/editor/json-editor.tsx'
import { isJson, type Plan } from './use-plan.ts'

type ProposedSchemaProps = { plan: Plan; rejected: readonly { path: string; message: string }[]; disabled: boolean }

/** A switch for the schema, and its text, which the user can edit before the list is created. */
export function ProposedSchema({ plan, rejected, disabled }: ProposedSchemaProps) {
  const { schema, hasSchema, isSchemaTyped } = plan
  const [isOpen, setOpen] = useState(false)
  const isShown = hasSchema && (isOpen || rejected.length > 0)
  return (
    <>
      <Switch
        label="Check items against a schema"
        help="Inferred from these items. It allows other properties, and you can change it at any time."
        on={hasSchema}
        onChange={plan.setHasSchema}
        disabled={disabled}
      />
      {hasSchema && (
        <div class="row">
          <Button kind="quiet" icon={isShown ? 'down' : 'next'} onPress={() => setOpen(!isShown)}>
            {isShown ? 'Hide the schema' : 'See the schema'}
          </Button>
          {isSchemaTyped && (
            <Button kind="quiet" icon="again" onPress={() => plan.setSchema(undefined)} disabled={disabled}>
              Propose it again
            </Button>
          )}
        </div>
      )}
      {isShown && (
        <div class="schema-box">
          <JsonEditor label="Schema" text={schema} onText={plan.setSchema} isReadonly={disabled} />
        </div>
      )}
      {hasSchema && !isJson(schema) && <p class="wrong">The schema is not valid JSON.</p>}
      {rejected.length > 0 && (
        <div class="wrong" role="alert">
          {rejected.map(({ path, message }) => (
            <p key={path}>
              <code>{path}</code> {message}
            </p>
          ))}
        </div>
      )}
    </>
  )
}

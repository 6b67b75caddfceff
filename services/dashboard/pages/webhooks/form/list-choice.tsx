import { useState } from 'preact/hooks'
import { client } from '#services/dashboard/api/client.ts'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Choice, TextField } from '#services/dashboard/parts/controls/field.tsx'
import { Pill } from '#services/dashboard/parts/display/marks.tsx'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'

const mostNamed = 100

type ListChoiceProps = {
  /** Null: all lists. */
  ids: readonly string[] | null
  problem: string | undefined
  onChoose: (ids: readonly string[] | null) => void
}

/** All lists, including future ones, or some of them. */
export function ListChoice({ ids, problem, onChoose }: ListChoiceProps) {
  return (
    <>
      <Choice
        label="Lists"
        value={ids === null ? 'all' : 'some'}
        choices={[
          { value: 'all', label: 'All lists, including future ones' },
          { value: 'some', label: 'Only these lists' },
        ]}
        problem={problem}
        onValue={(which) => onChoose(which === 'all' ? null : [])}
      />
      {ids && <SomeLists ids={ids} onChoose={onChoose} />}
    </>
  )
}

function SomeLists({ ids, onChoose }: { ids: readonly string[]; onChoose: (ids: readonly string[]) => void }) {
  const lists = useResource('lists to choose', (signal) => client.lists.all({ limit: mostNamed, signal }).page(1))
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const names = new Map(lists.data?.data.map(({ id, pathName }) => [id, pathName]))
  const add = async () => {
    setProblem(undefined)
    try {
      const { id } = await client.lists.get(text.trim())
      onChoose([...new Set([...ids, id])])
      setText('')
    } catch (failure) {
      const error = toListdError(failure)
      setProblem(error.status === 404 ? `There is no list named ${text.trim()}.` : messageOf(error))
    }
  }
  return (
    <>
      {ids.length > 0 && (
        <ul class="row wraps" role="list" aria-label="Lists of this webhook">
          {ids.map((id) => (
            <li key={id}>
              <Pill mono>
                {names.get(id) ?? id}
                <Button
                  kind="quiet"
                  icon="close"
                  label={`Remove ${names.get(id) ?? id}`}
                  onPress={() => onChoose(ids.filter((one) => one !== id))}
                />
              </Pill>
            </li>
          ))}
        </ul>
      )}
      <div class="row">
        <div class="grow">
          <TextField label="Path name of a list to add" mono value={text} problem={problem} onValue={setText} />
        </div>
        <Button disabled={text.trim() === ''} onPress={add}>
          Add
        </Button>
      </div>
    </>
  )
}

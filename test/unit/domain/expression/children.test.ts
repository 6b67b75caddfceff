import test from 'ava'
import { findMember } from '#shared/domain/expression/children.ts'
import { parseExpression } from '#shared/domain/expression/parse.ts'

/** The text with each found key in angle brackets. */
function marked(text: string): string {
  const { places } = findMember(text, [parseExpression(text)], { name: 'steps', key: 'card' })
  return places
    .toSorted((one, other) => other.from - one.from)
    .reduce((shown, { from, to }) => `${shown.slice(0, from)}<${shown.slice(from, to)}>${shown.slice(to)}`, text)
}

const found: readonly [text: string, marked: string][] = [
  ['steps.card', 'steps.<card>'],
  ['steps?.card.data.card', 'steps?.<card>.data.card'],
  ['steps["card"] + steps[\'card\']', 'steps["<card>"] + steps[\'<card>\']'],
  ['(steps).card', '(steps).<card>'],
  ['steps // card\n .card', 'steps // card\n .<card>'],
  ['[steps.card, {card: steps.card, "x": x.steps.card}]', '[steps.<card>, {card: steps.<card>, "x": x.steps.card}]'],
  ['map(steps.card, steps => steps.card)', 'map(steps.<card>, steps => steps.card)'],
  ['merge(steps).card', 'merge(steps).card'],
  ['steps[card]', 'steps[card]'],
  ['steps.cards', 'steps.cards'],
]

for (const [text, expected] of found) test(`a member is found by its key: ${text}`, (t) => t.is(marked(text), expected))

test('a name that is read with a computed key, or as a whole, is reported', (t) => {
  const isOpen = (text: string) => findMember(text, [parseExpression(text)], { name: 'steps', key: 'a' }).isOpen
  t.deepEqual(['steps.a', 'input.steps', 'steps["b"]'].map(isOpen), [false, false, false])
  t.deepEqual(['steps[input.a]', 'keys(steps)', 'steps.a + text(steps)'].map(isOpen), [true, true, true])
})

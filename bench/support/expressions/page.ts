import type { Value } from '#shared/domain/expression/value.ts'

/** The names available to the expressions, as in a run of a flow. */
export const names: ReadonlyMap<string, Value> = new Map<string, Value>(
  Object.entries({
    now: '2026-03-01T10:00:00.000Z',
    identity: null,
    input: {
      name: 'Ada King',
      email: 'ada.king@example.com',
      kind: 'order',
      tags: ['web', 'first'],
      address: { street: 'Main Street 1', city: 'London' },
    },
    steps: {
      thing: { createdAt: '2026-02-01T08:30:00.000Z', data: { name: 'Lamp', rank: 7, price: 19.99, stock: 3 } },
      lines: Array.from({ length: 5 }, (_, n) => ({ sku: `sku-${n}`, count: n, price: 9.99 + n })),
    },
  }),
)

/** Parts that several expressions share. */
export const helpersText = 'let vat = 0.19; function gross(net) = round(net * (1 + vat), 2);'

/** Each of these makes an expression of a number, which is a constant in it. */
const shapes: readonly ((n: number) => string)[] = [
  (n) => `steps.thing.data.rank > ${n} && input.kind == "kind-${n}"`,
  (n) => `round(steps.thing.data.price * ${n} * (1 - ${n % 25} / 100), 2)`,
  (n) => `input.name + " (" + text(steps.thing.data.rank + ${n}) + ")"`,
  (n) => `{name: trim(input.name), rank: steps.thing.data.rank + ${n}, by: identity?.name ?? "nobody"}`,
  (n) => `lower(trim(input.name)) + "-${n}"`,
  (n) => `addTime(now, ${n}, "days")`,
  (n) => `millis(now) - millis(steps.thing.createdAt) > ${n} * 86400000`,
  (n) => `sum(steps.lines, line => line.count * line.price) >= ${n}`,
  (n) => `map(filter(steps.lines, line => line.count > ${n % 5}), line => {sku: line.sku, by: ${n}})`,
  (n) => `some(steps.lines, line => line.sku in ["sku-${n}", "sku-0", "none"])`,
  (n) => `join(map(steps.lines, line => upper(line.sku)), ", ${n} ")`,
  (n) => `steps.thing.data.stock >= ${n} ? "in stock" : steps.thing.data.stock > 0 ? "few" : "none"`,
  (n) => `gross(steps.thing.data.price + ${n})`,
  (n) => `sort(steps.lines, line => -line.price)[0]?.sku ?? "none-${n}"`,
  (n) => `startsWith(input.email, "ada${n}") || endsWith(input.email, "@example.com")`,
  (n) => `matches(input.email, "^[a-z.]+${n}?@[a-z.]+$")`,
  (n) => `merge(steps.thing.data, {checked: true, round: ${n}})`,
  (n) => `pick(input, "name", "email", "key-${n}")`,
  (n) => `replace(split(input.name, " ")[0], "a", "${n}")`,
  (n) => `{
    order: {number: ${n}, at: now, lines: map(steps.lines, line => {sku: line.sku, net: line.count * line.price})},
    to: {name: input.name, address: {...input.address, country: input.address?.country ?? "GB"}},
    total: gross(sum(steps.lines, line => line.count * line.price)),
    tags: ["new", ...input.tags],
  }`,
]

/** A page of different expressions, as the nodes of real flows have them. */
export const texts: readonly string[] = Array.from({ length: 1_000 }, (_, n) =>
  (shapes[n % shapes.length] ?? String)(Math.floor(n / shapes.length)),
)

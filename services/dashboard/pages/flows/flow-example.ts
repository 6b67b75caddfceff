import { isObject } from '#shared/json/is-object.ts'

/** An example flow that works in every account, because it refers to no list. */
export const exampleDocument = `{
  "version": 1,
  "name": "Quote",
  "description": "Tells the price of an order.",
  "entry": {
    "type": "endpoint",
    "path": "quote",
    "input": {
      "type": "object",
      "required": ["price", "pieces"],
      "properties": {
        "price": { "type": "number", "minimum": 0 },
        "pieces": { "type": "integer", "minimum": 1 }
      }
    }
  },
  "helpers": "let discount = input.pieces >= 10 ? 0.1 : 0;",
  "nodes": [
    {
      "id": "stock",
      "type": "require",
      "when": "input.pieces <= 100",
      "message": "There are 100 pieces at most."
    },
    {
      "id": "total",
      "type": "compute",
      "value": "round(input.price * input.pieces * (1 - discount), 2)"
    },
    {
      "id": "answer",
      "type": "respond",
      "body": "{total: steps.total, discount: discount}"
    }
  ],
  "edges": [
    ["stock", "total"],
    ["total", "answer"]
  ]
}
`

/** Its tests: one of a response, and one of a rejection. */
export const exampleTests = `{
  "tests": [
    {
      "name": "ten pieces cost a tenth less",
      "input": { "price": 5, "pieces": 10 },
      "expect": {
        "status": 200,
        "body": { "total": 45 }
      }
    },
    {
      "name": "more than there are is rejected",
      "input": { "price": 5, "pieces": 101 },
      "expect": { "status": 400, "error": "100 pieces at most" }
    }
  ]
}
`

/**
 * Whether a document is a different flow, to which the tests of the example do not apply: its name is different, and it has none of the
 * example's nodes. False for text that is not valid JSON, as it is still being typed.
 */
export function isOtherFlow(document: string): boolean {
  try {
    const { entry, nodes } = JSON.parse(document)
    const ids: unknown[] = Array.isArray(nodes) ? nodes.map((node) => isObject(node) && node.id) : []
    return isObject(entry) && entry.path !== 'quote' && ids.length > 0 && !exampleIds.some((id) => ids.includes(id))
  } catch {
    return false
  }
}

const exampleIds = ['stock', 'total', 'answer']

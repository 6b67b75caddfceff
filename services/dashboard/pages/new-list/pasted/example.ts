/** Example data to try the page with. */
export const example = `{
  "recipes": [
    {
      "slug": "pancakes",
      "title": "Pancakes",
      "serves": 4,
      "tags": ["sweet", "quick"],
      "addedAt": "2026-03-01"
    },
    {
      "slug": "miso-soup",
      "title": "Miso soup",
      "serves": 2,
      "tags": ["soup"],
      "addedAt": "2026-03-14"
    },
    {
      "slug": "waffles",
      "title": "Waffles",
      "serves": 6,
      "tags": [],
      "addedAt": "2026-04-02"
    }
  ]
}
`

/** Icons as strokes in a 16 × 16 square. */
const strokes = {
  home: 'M2.5 7.5 8 3l5.5 4.5M4 6.5v7h8v-7',
  lists: 'M2.5 4h11M2.5 8h11M2.5 12h7',
  schema:
    'M5.5 2.5c-2 0-1.5 2-1.5 3s-.5 2.5-1.5 2.5c1 0 1.5 1.5 1.5 2.5s-.5 3 1.5 3M10.5 2.5c2 0 1.5 2 1.5 3s.5 2.5 1.5 2.5c-1 0-1.5 1.5-1.5 2.5s.5 3-1.5 3',
  webhooks: 'M8 8 5.5 4a2 2 0 1 1 3.4-.6M8 8l2.6 4a2 2 0 1 0 1.9-2.9M4.5 8.6a2.2 2.2 0 1 0 2 3.4H9',
  flows: 'M4 2.5h4v4H4zM2.5 10h4v3.5h-4zM9.5 10h4v3.5h-4zM6 6.5v1.7M4.5 10V8.2h7V10',
  settings:
    'M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.7M8 12.5v1.7M1.8 8h1.7M12.5 8h1.7M3.6 3.6l1.2 1.2M11.2 11.2l1.2 1.2M3.6 12.4l1.2-1.2M11.2 4.8l1.2-1.2',
  brand: 'M2.5 4h11M2.5 8h11M2.5 12h4M10 12l1.5 1.5L14 10.5',
  find: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 13.5 13.5',
  add: 'M8 3v10M3 8h10',
  close: 'M4 4l8 8M12 4l-8 8',
  done: 'M3 8.5 6.5 12 13 4.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  warning: 'M8 2.5 14.5 13.5h-13ZM8 6.5v3.2M8 11.5h.01',
  note: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.5v3.5M8 5h.01',
  time: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 5v3.2l2 1.3',
  order: 'M4.5 3v10M2 10.5 4.5 13 7 10.5M9 4h5M9 8h3.5M9 12h2',
  columns: 'M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  import: 'M8 2.5v7M5 7l3 3 3-3M2.5 11v2.5h11V11',
  export: 'M8 10V3M5 5.5l3-3 3 3M2.5 11v2.5h11V11',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.7h-2.7',
  next: 'M6.5 4 10.5 8l-4 4',
  down: 'M4 6.5 8 10.5l4-4',
  up: 'M4 9.5 8 5.5l4 4',
  people:
    'M6 7.5a2.25 2.25 0 1 0 0-4.5 2.25 2.25 0 0 0 0 4.5ZM1.5 13c.4-2.4 2.2-3.6 4.5-3.6s4.1 1.2 4.5 3.6M10.5 3.2a2.2 2.2 0 0 1 0 4.2M12 9.7c1.4.4 2.3 1.5 2.5 3.3',
  key: 'M5.5 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM7.7 8.3 13.5 2.5M11 5l2 2',
  lock: 'M4 7.5h8v6H4zM5.5 7.5V5.3a2.5 2.5 0 0 1 5 0v2.2',
  grip: 'M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01',
  see: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8ZM8 9.7a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z',
  pin: 'M5.5 2.5h5l-.7 4.5 2 2.3h-7.6l2-2.3zM8 9.3v4.4',
  leave: 'M6.5 13.5h-4v-11h4M10 5l3 3-3 3M13 8H6.5',
} as const

export type IconName = keyof typeof strokes

/** A decorative icon next to a text. Screen readers ignore it. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={strokes[name]} />
    </svg>
  )
}

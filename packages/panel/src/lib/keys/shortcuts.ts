/** Every key of the panel, by the part it works in: the one table for those who listen and for the sheet that shows them. */

export interface Keys {
  /** By place on the keyboard, because another layout gives another letter; signs are looked for by what they write. */
  code?: string
  sign?: string
  /** Ctrl, or ⌘ on a Mac. */
  ctrl?: true
  shift?: true
  alt?: true
  /** By its place, the key that is pressed after the first one. */
  next?: string
}

const arrows: readonly Keys[] = [
  { code: 'ArrowUp' },
  { code: 'ArrowDown' },
  { code: 'ArrowLeft' },
  { code: 'ArrowRight' },
]

/** Ways to press it by what it does; its words stand under `shortcuts.<part>.<name>`. */
export const shortcuts = {
  everywhere: {
    palette: [{ code: 'KeyK', ctrl: true }],
    home: [{ code: 'KeyG', next: 'KeyH' }],
    undo: [{ code: 'KeyZ', ctrl: true }],
    guide: [{ code: 'F1' }],
    help: [{ sign: '?' }],
    close: [{ code: 'Escape' }],
  },
  home: {
    down: [{ code: 'KeyJ' }],
    up: [{ code: 'KeyK' }],
    act: [{ code: 'Enter' }],
    open: [{ code: 'KeyO' }],
    putOff: [{ code: 'KeyZ' }],
  },
  list: {
    down: [{ code: 'KeyJ' }],
    up: [{ code: 'KeyK' }],
    open: [{ code: 'Enter' }],
    choose: [{ code: 'KeyX' }],
    edit: [{ code: 'KeyE' }],
    search: [{ code: 'Slash' }],
    clear: [{ code: 'Escape' }],
  },
  cells: {
    edit: [{ code: 'Enter' }, { code: 'F2' }],
    cancel: [{ code: 'Escape' }],
    extend: arrows.map((key) => ({ ...key, shift: true as const })),
    copy: [{ code: 'KeyC', ctrl: true }],
    paste: [{ code: 'KeyV', ctrl: true }],
    fillDown: [{ code: 'KeyD', ctrl: true }],
  },
  form: { save: [{ code: 'KeyS', ctrl: true }] },
  desk: {
    save: [{ code: 'KeyS', ctrl: true }],
    next: [{ code: 'ArrowDown', alt: true }],
    previous: [{ code: 'ArrowUp', alt: true }],
  },
  review: {
    approve: [{ code: 'KeyA' }],
    change: [{ code: 'KeyC' }],
    reject: [{ code: 'KeyR' }],
    next: [{ code: 'KeyJ' }],
    previous: [{ code: 'KeyK' }],
    undo: [{ code: 'KeyU' }],
    gallery: [{ code: 'KeyG' }],
    compare: [{ code: 'KeyT' }],
    send: [{ code: 'Enter', ctrl: true }],
    clear: [{ code: 'Escape' }],
  },
  import: {
    nextFault: [{ code: 'F8' }],
    previousFault: [{ code: 'F8', shift: true }],
    accept: [{ code: 'Enter' }],
    keep: [{ code: 'KeyK', alt: true }],
    edit: [{ code: 'F2' }],
    leave: [{ code: 'Escape' }],
    paste: [{ code: 'KeyV', ctrl: true }],
    undo: [{ code: 'KeyZ', ctrl: true }],
    write: [{ code: 'Enter', ctrl: true }],
  },
  chat: {
    send: [{ code: 'Enter' }],
    break: [{ code: 'Enter', shift: true }],
    canned: [{ sign: '/' }],
    note: [{ code: 'KeyN', alt: true }],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly Keys[]>>>>

export type ShortcutPart = keyof typeof shortcuts

export const isShortcutPart = (name: string): name is ShortcutPart => Object.hasOwn(shortcuts, name)

/** Whether an event is one of the ways to press it. */
export function isPressed(event: KeyboardEvent, ways: readonly Keys[]): boolean {
  return ways.some(({ code, sign, ctrl = false, shift = false, alt = false }) => {
    if ((event.ctrlKey || event.metaKey) !== ctrl || event.altKey !== alt) return false
    // A sign may need the shift key on one layout and not on another.
    return sign === undefined ? event.code === code && event.shiftKey === shift : event.key === sign
  })
}

/** Whether an event is the second key of one of the ways to press it. */
export const isSecond = (event: KeyboardEvent, ways: readonly Keys[]): boolean =>
  ways.some(({ next }) => next !== undefined && isPressed(event, [{ code: next }]))

/** Whether keys without Ctrl belong to what the reader is typing in. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))
  )
}

const caps: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Slash: '/',
}

/** What is printed on the keys, one after the other. */
export function capsOf({ code = '', sign, ctrl, shift, alt, next }: Keys): string[] {
  const capOf = (place: string) => caps[place] ?? place.replace(/^Key/, '')
  const modifiers = [...(ctrl ? ['Ctrl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : [])]
  return [...modifiers, sign ?? capOf(code), ...(next === undefined ? [] : [capOf(next)])]
}

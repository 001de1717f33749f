/**
 * All keyboard shortcuts by part of the panel: one table for the listeners and for the sheet that lists them.
 */

export interface ShortcutKeys {
  /**
   * Position of the key on the keyboard, because other layouts give other letters; punctuation is compared by
   * its character.
   */
  code?: string
  sign?: string
  /** Whether the combination includes Ctrl, or ⌘ on a Mac. */
  ctrl?: true
  shift?: true
  alt?: true
  /** Position of the second key of a shortcut of two keys. */
  next?: string
}

const arrowKeys: readonly ShortcutKeys[] = [
  { code: 'ArrowUp' },
  { code: 'ArrowDown' },
  { code: 'ArrowLeft' },
  { code: 'ArrowRight' },
]

/** Key combinations of each action; the labels are `shortcuts.<part>.<name>`. */
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
    extend: arrowKeys.map((key) => ({ ...key, shift: true as const })),
    copy: [{ code: 'KeyC', ctrl: true }],
    paste: [{ code: 'KeyV', ctrl: true }],
    fillDown: [{ code: 'KeyD', ctrl: true }],
  },
  form: { save: [{ code: 'KeyS', ctrl: true }], insert: [{ code: 'Enter', alt: true }] },
  desk: {
    save: [{ code: 'KeyS', ctrl: true }],
    next: [{ code: 'ArrowDown', alt: true }],
    previous: [{ code: 'ArrowUp', alt: true }],
    insert: [{ code: 'Enter', alt: true }],
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
  player: {
    play: [{ code: 'Space' }, { code: 'KeyK' }],
    back: [{ code: 'KeyJ' }],
    forward: [{ code: 'KeyL' }],
    step: [{ code: 'ArrowLeft' }, { code: 'ArrowRight' }],
    volume: [{ code: 'ArrowUp' }, { code: 'ArrowDown' }],
    mute: [{ code: 'KeyM' }],
    subtitles: [{ code: 'KeyC' }],
    fullScreen: [{ code: 'KeyF' }],
    speed: [{ sign: '<' }, { sign: '>' }],
    ends: [{ code: 'Home' }, { code: 'End' }],
    tenth: [{ code: 'Digit0' }, { code: 'Digit9' }],
  },
  system: {
    refresh: [{ code: 'KeyR' }],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly ShortcutKeys[]>>>>

export type ShortcutPart = keyof typeof shortcuts

export const isShortcutPart = (name: string): name is ShortcutPart => Object.hasOwn(shortcuts, name)

/** Returns whether a key event matches one of the combinations. */
export function isPressed(event: KeyboardEvent, combinations: readonly ShortcutKeys[]): boolean {
  return combinations.some(({ code, sign, ctrl = false, shift = false, alt = false }) => {
    if ((event.ctrlKey || event.metaKey) !== ctrl || event.altKey !== alt) return false
    // The key of a punctuation character may need Shift on one keyboard layout and not on another.
    return sign === undefined ? event.code === code && event.shiftKey === shift : event.key === sign
  })
}

/** Returns whether a key event is the second key of one of the combinations. */
export const isSecondKey = (event: KeyboardEvent, combinations: readonly ShortcutKeys[]): boolean =>
  combinations.some(({ next }) => next !== undefined && isPressed(event, [{ code: next }]))

/** Returns whether keys without Ctrl belong to the text field in focus. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))
  )
}

const capLabels: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Slash: '/',
}

/** Key caps of a shortcut, in the order of pressing. */
export function keyCapsOf({ code = '', sign, ctrl, shift, alt, next }: ShortcutKeys): string[] {
  const keyCapOf = (code: string) => capLabels[code] ?? code.replace(/^(Key|Digit)/, '')
  const modifiers = [...(ctrl ? ['Ctrl'] : []), ...(alt ? ['Alt'] : []), ...(shift ? ['Shift'] : [])]
  return [...modifiers, sign ?? keyCapOf(code), ...(next === undefined ? [] : [keyCapOf(next)])]
}

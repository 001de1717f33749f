/**
 * Every key the panel keeps in the browser's local storage, documented in one place. How a list stands (columns, widths)
 * is kept under `list/<path of its screen>` and goes with the session. What is being written (`draft/…`) is in a database
 * of the browser, see `drafts/draft-store.ts`; so are messages on their way. A tab keeps for itself, in its session
 * storage, the role it looks as (`api/viewing.ts`) and what was typed before signing in (`account/credentials/kept-typed.ts`).
 */
export const storageKeys = {
  /** The bearer token of the session (requirements §4). */
  token: 'token',
  /** Interface language: en, ru, uz or kaa (requirements §9). */
  language: 'current-language',
  /** Light or dark and the colour in one word: `dark.blueolympic` (requirements §9). */
  theme: 'theme',
  /** Corners: rounded or flat. */
  radius: 'radius',
  /** Text direction: ltr or rtl. */
  direction: 'direction',
  /** Height of rows: comfortable or compact. */
  density: 'density',
  /** The page that `/app` leads to: consultants or home. */
  startPage: 'start-page',
  /** How lists are shown: list, thumb or image; goes with the session (requirements §4). */
  displayMode: 'display-mode',
  /** The last choices made in the palette; go with the session. */
  recent: 'recent-choices',
  /** State of the side menu: default, hidden-sub, hidden-main or temporary. */
  menuState: 'menu-state',
  /** Kind of the side menu; there is one so far (requirements §9). */
  menuType: 'menu-type',
  /** Whether new messages of the desk sound in this browser: on or off; absent until it was asked. */
  chatSound: 'chat-sound',
  /** To which accounts the tour of the panel is offered, and who has left it: `{"12":"offered","13":"left"}`. */
  tour: 'tour',
} as const

/** Reads a key; storage may be refused by the browser, which counts as empty. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Writes a key, or removes it with null; a full or refused storage loses only the memory of the choice. */
export function writeStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Private windows refuse storage: the choice then lasts as long as the page.
  }
}

const listPrefix = 'list/'

/** Where the columns of a screen's list are kept. */
export const listKey = (path: string) => `${listPrefix}${path}`

/** Forgets how lists stand. */
export function forgetLists(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(listPrefix)) localStorage.removeItem(key)
  } catch {
    // Refused storage has kept nothing.
  }
}

/**
 * All keys of the panel in local storage. The state of a list (columns, widths) is stored under `list/<path
 * of its screen>` and deleted with the session. Drafts (`draft/…`) are in a database of the browser
 * (`drafts/draft-store.ts`), and so are messages that are being sent. Each tab has in its session storage the
 * role it is viewed as (`api/viewing.ts`) and the input of the sign-in pages
 * (`account/credentials/kept-typed.ts`).
 */
export const storageKeys = {
  /** Key of the bearer token of the session (requirements §4). */
  token: 'token',
  /** Key of the interface language: en, ru, uz or kaa (requirements §9). */
  language: 'current-language',
  /** Key of the script of Uzbek and Karakalpak: latin or cyrillic. */
  script: 'script',
  /** Key of the display mode and the colour in one word: `dark.blueolympic` (requirements §9). */
  theme: 'theme',
  /** Key of the corners: rounded or flat. */
  radius: 'radius',
  /** Key of the text direction: ltr or rtl. */
  direction: 'direction',
  /** Key of the height of rows: comfortable or compact. */
  density: 'density',
  /** Key of the page that `/app` leads to: consultants or home. */
  startPage: 'start-page',
  /** Key of the display mode of lists: list, thumb or image; deleted with the session (requirements §4). */
  displayMode: 'display-mode',
  /** Key of the last choices in the palette; deleted with the session. */
  recent: 'recent-choices',
  /** Key of the side menu's state: default, hidden-sub, hidden-main or temporary. */
  menuState: 'menu-state',
  /** Key of the kind of the side menu; there is only one so far (requirements §9). */
  menuType: 'menu-type',
  /** Key of the sound of new messages in this browser: on or off; absent until the user was asked. */
  chatSound: 'chat-sound',
  /**
   * Key of the accounts that the tour of the panel was offered to, or that left it:
   * `{"12":"offered","13":"left"}`.
   */
  tour: 'tour',
  /** Key of the id of the user whose notices this browser shows while the panel is closed. */
  push: 'push',
  /** Choices of the video player, as JSON: speed, volume, subtitles and the smaller file. */
  player: 'player',
} as const

/** Reads a storage key; null when the browser refuses the storage. */
export function readStorage(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Writes a storage key, or removes it with null; nothing is stored when the storage is full or refused. */
export function writeStorage(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Private windows refuse to store values: a preference is then lost with the page.
  }
}

const listPrefix = 'list/'

/** Storage key for the columns of a screen's list. */
export const listKey = (path: string) => `${listPrefix}${path}`

/** Deletes the stored state of all lists. */
export function forgetLists(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(listPrefix)) localStorage.removeItem(key)
  } catch {
    // A browser that refuses its storage has no values to delete.
  }
}

/** The results of the palette for the typed text, and their order. */
import { searchKeyOf, type Locale } from '@dala/model'

const groupNames = ['recent', 'screens', 'records', 'page', 'create', 'views', 'look', 'account', 'rest'] as const
type GroupName = (typeof groupNames)[number]

export interface PaletteEntry {
  /** Identical for the same choice at any time. */
  id: string
  group: Exclude<GroupName, 'recent' | 'rest'>
  label: string
  /** Language of the label, if it differs from the user's. */
  lang?: Locale | undefined
  /** Its kind or its location. */
  note?: string | undefined
  /** The key caps of the shortcut with the same effect. */
  keys?: readonly string[] | undefined
  run: () => void
}

export interface PaletteGroup {
  value: GroupName
  items: PaletteEntry[]
}

/** Normalised letters; the parts of a compound are words too. */
const folded = (text: string) =>
  searchKeyOf(text)
    .replaceAll(/[-–—:/]/g, ' ')
    .trim()

type Match = 'begins' | 'word' | 'inside' | undefined

/** How well an entry matches the typed text. */
export function matchOf({ label, note = '' }: Pick<PaletteEntry, 'label' | 'note'>, typed: string): Match {
  const text = folded(typed)
  const name = folded(label)
  if (name.startsWith(text)) return 'begins'
  const words = ` ${name} ${folded(note)}`
  if (text.split(/\s+/).every((part) => words.includes(` ${part}`))) return 'word'
  return name.includes(text) ? 'inside' : undefined
}

const known = (name: GroupName, items: PaletteEntry[]): PaletteGroup[] =>
  items.length > 0 ? [{ value: name, items }] : []

/**
 * Arranges the results. Without a text recent choices come first, then everything. With one, entries that
 * start with it or have a word that does, screens before records; other matches come last.
 *
 * @param entries - All possible choices.
 * @param records - Records that were found, best first.
 * @param recent - Recent choices, latest first.
 * @param typed - The typed text.
 * @returns Groups in order.
 */
export function arrange(
  entries: readonly PaletteEntry[],
  records: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
  typed: string,
): PaletteGroup[] {
  const inGroups = (some: readonly PaletteEntry[]) =>
    groupNames.flatMap((name) =>
      known(
        name,
        some.filter(({ group }) => group === name),
      ),
    )
  if (folded(typed) === '') {
    const ids = new Set(recent.map(({ id }) => id))
    return [...known('recent', [...recent]), ...inGroups(entries.filter(({ id }) => !ids.has(id)))]
  }
  const matched = entries.map((entry) => [entry, matchOf(entry, typed)] as const)
  const having = (wanted: Match) => matched.filter(([, match]) => match === wanted).map(([entry]) => entry)
  return [...inGroups([...having('begins'), ...having('word'), ...records]), ...known('rest', having('inside'))]
}

/** What the palette offers for what is typed, and in which order. */
import { foldSearch, type Locale } from '@dala/model'

const groupNames = ['recent', 'screens', 'records', 'page', 'create', 'views', 'look', 'account', 'rest'] as const
type GroupName = (typeof groupNames)[number]

export interface PaletteEntry {
  /** The same for the same choice, today and tomorrow. */
  id: string
  group: Exclude<GroupName, 'recent' | 'rest'>
  label: string
  /** Language of the label, where it is not the reader's. */
  lang?: Locale | undefined
  /** What it is, or where. */
  note?: string | undefined
  /** What is printed on the keys that do the same. */
  keys?: readonly string[] | undefined
  run: () => void
}

export interface PaletteGroup {
  value: GroupName
  items: PaletteEntry[]
}

/** Small letters of one spelling; the parts of a compound are words, too. */
const folded = (text: string) =>
  foldSearch(text)
    .replaceAll(/[-–—:/]/g, ' ')
    .trim()

type Match = 'begins' | 'word' | 'inside' | undefined

/** How well an entry answers what is typed. */
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
 * In: all that can be chosen, the records that were found (best first), the ids of recent choices (latest first), what
 * is typed. Out: groups in order. Without a text recent choices come first, then everything; with one, what begins
 * with it or with a word of it, screens before records, and at the end what only holds it.
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

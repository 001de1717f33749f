/** The checked query tree. Its values are stored separately, so that equal shapes share one statement. */
import type { Locale, Operator } from '@dala/model'

/** Index of a value in the list of values of a parsed query. */
export type SlotIndex = number

/** Comparisons of the tree: the operators of contract §6, and the search of `_q`. */
export type Comparison = Operator | '$search'

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | FieldCondition
  /** Condition that the record is, or is not, one that ids name, in any language. */
  | { document: '$in' | '$notIn'; value: SlotIndex }
  /** Condition that a stored search text of the entry contains the text of `_q` in one of its spellings. */
  | { found: SlotIndex[]; in: 'texts' | 'documents' }
  /**
   * Condition of `_q` that one of the sides is true. An index has groups of three letters; a shorter text is
   * not `indexed`.
   */
  | { sides: Condition[]; indexed: boolean }
  /**
   * Condition that some related entry matches; `scope` holds the rows of the target that the caller may see.
   */
  | { link: string; some: Condition; scope?: Condition }
  /** Condition that a link has, or does not have, one of some targets. */
  | { link: string; targets: '$in' | '$notIn'; value: SlotIndex }
  | { link: string; empty: boolean }
  /**
   * Condition that no record of any resource links to the entry's document, regardless of what the caller may
   * read.
   */
  | { unheld: true }
  /**
   * Condition that a record which the caller may read links to the entry's document, through a field that
   * they may read.
   */
  | { shown: HolderLink[]; mentioned: MentionedBy[] }
  /** Condition that a text in several languages is empty in one of them. */
  | { silent: string; in: Locale }
  /** Condition that a text in several languages matches a search pattern in any of them. */
  | { spoken: string; value: SlotIndex }

/**
 * A link by which readable records show other records: the holder, its field, and the holder's rows that the
 * caller may read.
 */
export interface HolderLink {
  resource: string
  field: string
  scope?: Condition
}

/** Condition that compares a column with a value. */
export interface FieldCondition {
  field: string
  is: Comparison
  value: SlotIndex
  /** Way in which a case-insensitive comparison lowers the column; the value has the matching form. */
  caseFolding?: CaseFolding
  /** Pattern of a search key that the key of every matching text fits: an index on it finds candidates. */
  key?: SlotIndex
}

/**
 * The method of folding the case of a column: `ascii` where only ASCII letters are searched for, which costs
 * next to nothing; `pattern` with a regular expression that names all spellings of each letter; `table`
 * letter by letter, for long texts.
 */
export type CaseFolding = 'ascii' | 'pattern' | 'table'

/** Fields in which texts of readable records name files; `localized` for fields of language entries. */
export interface MentionedBy {
  resource: string
  fields: string[]
  localized: boolean
  scope?: Condition
}

/** A sort through to-one links down to a column. */
export interface Sort {
  path: string[]
  isDescending: boolean
  /**
   * Rows that the caller may see of the target of each link in the sort's path; null where all rows are
   * visible.
   */
  scopes?: (Condition | null)[]
}

export interface Selection {
  /** Names of the columns that the read shows, in the model's order. */
  fields: string[]
  populate: [link: string, related: RelatedSelection][]
}
export interface RelatedSelection extends Selection {
  where?: Condition
  scope?: Condition
  sort: Sort[]
}

/** Choice of the languages that a list of a localized resource shows (contract §8). */
export type EntryChoice = 'locale' | 'all' | 'none' | 'fallback'

/** The shape of a read without its values; equal shapes compile to the same statement. */
export interface ReadShape {
  resource: string
  kind: 'list' | 'one'
  /** Form of a record's body: `data`/`attributes`, or flat (users, contract §3). */
  isFlat: boolean
  /** Language of the query: for populated targets and for texts in several languages. */
  locale: Locale
  entries: EntryChoice
  missing?: Locale
  outdated?: Locale
  where?: Condition
  /** Filter of the caller's rows, which the statement adds last so that no client filter can replace it. */
  scope?: Condition
  selection: Selection
  sort: Sort[]
  /** Slot of the wire id when the query reads one record. */
  id?: SlotIndex
  /** Page size: a part of the shape, because the value decides the plan of the whole statement. */
  limit?: number
  /** Slot of the number of rows that the read skips; undefined for the first row. */
  offset?: SlotIndex
  /** Whether the statement of a list counts all matching rows too. */
  count: boolean
  /** Whether the read is of published copies, or of drafts as they would be published; absent for drafts. */
  published?: 'copies' | 'preview'
  /** Whether so many rows match that walking in list order finds the page sooner than an index of texts. */
  hasManyMatches?: true
}

export interface ReadQuery {
  shape: ReadShape
  values: unknown[]
  /** Names of the resources that the total of the query depends on. */
  dependsOn: ReadonlySet<string>
  pagination: Pagination
  /** Key of the cached total, equal for queries with equal totals. */
  totalKey: string
}

export interface Pagination {
  form: 'page' | 'offset'
  page: number
  pageSize: number
  start: number
  limit: number
  withCount: boolean
}

/** Counts how often readers open items of content: in memory, and stored every few seconds (statistics §4). */
import { type OpenedContent, openedContent } from '@dala/model'
import { zoneSql } from '../../db/calendar.ts'
import type { Database } from '../../db/database.ts'
import { RepeatedWork } from '../../db/repeated-work.ts'
import { documentTable, textTable } from '../../db/schema.ts'
import { sql } from '../../db/sql.ts'
import { resourceNamed } from '../../resources/attributes.ts'
import type { OpenedRecord } from '../../resources/opened.ts'

/** Milliseconds between two times at which openings are stored. */
const storeInterval = 10_000
/** Maximum number of items whose openings wait to be stored; openings of further ones are not counted. */
const maxWaiting = 5_000

const isCounted = (resource: string): resource is OpenedContent => openedContent.some((name) => name === resource)

/** Whether a caller reads as the readers of the app do: staff and consultants open items for their work. */
const isReader = ({ role, isConsultant }: OpenedRecord['caller']): boolean => role === 'authenticated' && !isConsultant

export class OpenCounter {
  readonly #database: Database
  readonly #clock = new RepeatedWork(storeInterval)
  #waiting = new Map<OpenedContent, Map<number, number>>()
  #items = 0
  #endListening = () => {}

  constructor(database: Database) {
    this.#database = database
  }

  /** Starts to count; `onError` receives the error of a run, whose openings are lost. */
  start(onError: (error: unknown) => void): void {
    this.#endListening = this.#database.on('opened', (record) => this.note(record))
    this.#clock.start(() => this.store(), onError)
  }

  /** Stops the counter and stores the openings that wait. */
  async stop(): Promise<void> {
    this.#endListening()
    await this.#clock.stop()
    await this.store()
  }

  /** Notes an opening by a reader. */
  note({ resource, id, caller }: OpenedRecord): void {
    if (!isCounted(resource) || !isReader(caller)) return
    const ids = this.#waiting.get(resource) ?? new Map<number, number>()
    const formerCount = ids.get(id)
    if (formerCount === undefined) {
      if (this.#items >= maxWaiting) return
      this.#items += 1
    }
    this.#waiting.set(resource, ids.set(id, (formerCount ?? 0) + 1))
  }

  /** Stores the openings that wait, with one statement for each kind of content. */
  async store(): Promise<void> {
    const waitingCounts = this.#waiting
    this.#waiting = new Map()
    this.#items = 0
    for (const [name, counts] of waitingCounts) {
      const resource = resourceNamed(name)
      // Localized records are opened by the id of a text.
      const [table, document] = resource.localized
        ? [textTable(resource), sql`r.document_id`]
        : [documentTable(resource), sql`r.id`]
      await this.#database.query(sql`
        insert into content_opens (resource, document_id, day, opens)
        select ${name}::text, ${document}, (now() at time zone ${zoneSql})::date, sum(given.n)
          from unnest(${[...counts.keys()]}::int[], ${[...counts.values()]}::int[]) as given (id, n)
          join ${sql.table(table)} r on r.id = given.id
         group by ${document} order by ${document}
        on conflict (resource, document_id, day) do update set opens = content_opens.opens + excluded.opens`)
    }
  }
}

/** What some records are one's own by: nobody else sees them, so tests that read them keep them themselves. */
const keepers: Readonly<Record<string, string>> = { listviews: 'owner', replytemplates: 'author' }

/** The part of a draft that makes a record somebody's own; empty where records are nobody's. */
export function keptBy(resource: string, person: number | undefined): Record<string, unknown> {
  const keeper = keepers[resource]
  return keeper === undefined ? {} : { [keeper]: person }
}

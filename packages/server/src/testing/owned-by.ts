/**
 * Owner field of private resources: only the owner sees such records, so tests create them as their reader.
 */
const ownerFields: Readonly<Record<string, string>> = { listviews: 'owner', replytemplates: 'author' }

/** Returns the owner field for a draft; empty where records have no owner. */
export function ownedBy(resource: string, person: number | undefined): Record<string, unknown> {
  const ownerField = ownerFields[resource]
  return ownerField === undefined ? {} : { [ownerField]: person }
}

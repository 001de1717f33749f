/** Checks a record's former values when a write is undone: they may break the rules by now. */
import { fault, type Field, isToOne, rankOfRole, type Resource, validationFault } from '@dala/model'
import type { Transaction } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import { linkOf } from '../attributes.ts'
import type { FieldValues } from './behaviour.ts'
import type { Values } from './changes.ts'
import { loadWriteContext, leadsBackToDocument, type StoredEntry } from './examine.ts'
import { checkSteps } from './rules.ts'
import { targetColumnsOf, type WriteContext } from './write.ts'

/**
 * Runs the rules and the behaviour of a resource on the former values of an undo. Staff get exactly the
 * former values. For other callers the rules of any write apply: states follow their transitions, and a text
 * that no moderator has seen waits for one.
 *
 * @returns All values to write.
 * @throws What an update throws.
 */
export async function applyRulesToUndo(
  trx: Transaction,
  { author: { caller } }: WriteContext,
  resource: Resource,
  storedEntry: StoredEntry,
  { values, lists }: { values: Values; lists: readonly string[] },
): Promise<Values> {
  const { document, values: valuesBefore } = storedEntry
  const isStaff = rankOfRole(caller.role) >= rankOfRole('admin')
  if (!isStaff) checkSteps(resource, caller, valuesBefore, values)
  await refuseCycles(trx, resource, document, values)

  const behaviour = trx.parts.behaviourOf(resource)
  if (!behaviour) return values
  const target = await targetsOf(trx, resource, storedEntry, values)
  const settledValues = await behaviour.settleValues({
    operation: 'update',
    caller,
    isTrusted: false,
    // The stored reason of a state belongs to the decision that is undone.
    draft: valuesBefore,
    valuesBefore,
    document,
    values,
    lists: Object.fromEntries(lists.map((name) => [name, undefined])),
    leaveListUnchanged: () => {
      throw fault('bulk.no-undo')
    },
    isUndo: true,
    target,
    locale: storedEntry.locale,
    now: new Date().toISOString(),
    trx,
  })
  const { increasingFields = [] } = behaviour
  const otherNames = Object.entries(settledValues ?? {}).filter(([name]) => !isStaff || increasingFields.includes(name))
  return { ...values, ...Object.fromEntries(otherNames) }
}

/**
 * Loads the columns of link targets that rules and behaviours need.
 *
 * @param trx - The transaction of the write.
 * @param resource - The resource that is written.
 * @param stored - The entry as it is stored.
 * @param values - The values it is about to have, to-one links as documents.
 * @returns A function that gives the columns of a link's new target; undefined without a target.
 */
export async function targetsOf(
  trx: Transaction,
  resource: Resource,
  { document, locale, values: formerValues }: StoredEntry,
  values: Values,
): Promise<(link: string) => FieldValues | undefined> {
  const targetColumns = targetColumnsOf(trx.parts, resource)
  const targetOf = (link: string) => (link in values ? values[link] : formerValues[link])
  const unchangedLinks = Object.keys(targetColumns).flatMap((link): [string, number][] => {
    const target = targetOf(link)
    return typeof target === 'number' ? [[link, target]] : []
  })
  const findings = await loadWriteContext(trx, {
    resource,
    links: {},
    targetColumns,
    unchangedTargets: Object.fromEntries(unchangedLinks),
    unique: {},
    slugs: [],
    document: sql`${document}`,
    locale,
    family: false,
  })
  return (link) => {
    const target = targetOf(link)
    return typeof target === 'number' ? findings.targetValues.get(link)?.get(target) : undefined
  }
}

/**
 * Refuses a record that would become its own descendant: other records may have moved since.
 *
 * @throws 400 `validation.cycle` on the link.
 */
export async function refuseCycles(
  trx: Transaction,
  resource: Resource,
  document: number,
  values: Values,
): Promise<void> {
  for (const [name, target] of Object.entries(values)) {
    const field: Field | undefined = resource.fields[name]
    if (!field || !isToOne(field) || field.target !== resource.name || typeof target !== 'number') continue
    const { place } = linkOf(resource, name)
    if (
      place.in !== 'column' ||
      !(await leadsBackToDocument(trx, resource, { column: place.column, target, document }))
    )
      continue
    throw validationFault([{ path: [name], code: 'validation.cycle', params: { field: name } }])
  }
}

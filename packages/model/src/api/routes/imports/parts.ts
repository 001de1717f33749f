/** Parts of the import contracts that records of imports share. */
import * as z from 'zod'
import { isStorable } from '../../../fields/kind.ts'
import { importLimits } from '../../import-limits.ts'
import { issue, whole } from '../parts.ts'

/** Numbers of an import's rows by outcome. */
export const importSummary = z.strictObject({
  total: whole,
  create: whole,
  update: whole,
  same: whole,
  skip: whole,
  error: whole,
  warning: whole,
  /** Number of faults in all rows of an import. */
  issues: whole,
})

/** A text that fits into a cell of an imported sheet. */
export const cellText = z.string().check(({ value, issues }) => {
  if (value.length > importLimits.letters)
    issues.push(issue(value, 'validation.maxLength', { max: importLimits.letters }))
  else if (!isStorable(value)) issues.push(issue(value, 'validation.control'))
})

/** A name in the imported file, and the field that the name is a value of. */
export const nameInField = z.object({ key: z.string(), name: cellText })

export type ImportSummary = z.output<typeof importSummary>
export type ImportPlace = z.output<typeof nameInField>
